import type { ModelFailure } from '../../contracts/model/model.ts';

/** The class of a vendor's error. */
export interface FailureKind {
  readonly code: ModelFailure;
  readonly retryable: boolean;
}

const CONTEXT_TOO_LONG =
  /prompt is too long|context[ _](?:length|window|limit|size)|maximum context|exceeds? the (?:available )?context|too many (?:input )?tokens|input length and .max_tokens. exceed|token count .*exceeds/i;
/** Google and xAI call a wrong key a bad request. */
const WRONG_KEY = /API key (?:not valid|expired|not found)|incorrect API key/i;
const NO_CREDIT = /credit balance|insufficient (?:credit|balance|funds)|purchase credits|exceeded your current quota/i;

/** The key is valid, but its owner may not use the service or the model at present. The message names the page to change that. */
const NO_ACCESS =
  /organization must be verified|organization has been disabled|has not been used in project .* before or it is disabled/i;

export function isNoAccess(message: string): boolean {
  return NO_ACCESS.test(message);
}

/** Only for a bad request: a rate limit also mentions too many tokens, and ends by itself. */
export function isTooLong(message: string): boolean {
  return CONTEXT_TOO_LONG.test(message);
}

/**
 * Classifies an HTTP status if the vendor's own error code says nothing more. Two kinds of bad request must be recognised by their wording, because
 * vendors give them no code: a conversation that no longer fits, and an account without money.
 */
export function failureOfStatus(status: number, message: string): FailureKind {
  if (status < 500 && isNoAccess(message)) return { code: 'no_access', retryable: false };
  switch (status) {
    case 400:
    case 422:
      if (NO_CREDIT.test(message)) return { code: 'no_credit', retryable: false };
      if (WRONG_KEY.test(message)) return { code: 'auth', retryable: false };
      return { code: isTooLong(message) ? 'context_too_long' : 'bad_request', retryable: false };
    case 401:
    case 403:
      return { code: 'auth', retryable: false };
    case 402:
      return { code: 'no_credit', retryable: false };
    case 404:
      return { code: 'unknown_model', retryable: false };
    case 408:
    case 409:
      return { code: 'server_error', retryable: true };
    case 413:
      return { code: 'context_too_long', retryable: false };
    case 429:
      if (NO_CREDIT.test(message)) return { code: 'no_credit', retryable: false };
      return { code: 'rate_limited', retryable: true };
    case 529:
      return { code: 'overloaded', retryable: true };
    default:
      return status >= 500 ? { code: 'server_error', retryable: true } : { code: 'bad_request', retryable: false };
  }
}
