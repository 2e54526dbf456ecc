import type { ModelFailure } from '../contracts/model/model.ts';
import { findProvider } from '../contracts/model/providers.ts';
import { assertNever } from './assert-never.ts';
import { firstText } from './text/first-last.ts';

const ANOTHER_MODEL = 'use another model with --model PROVIDER/MODEL';
const GO_ON = 'continue with fluffy --continue';

/**
 * What a person can do after a model provider failed: one sentence without its full stop. `model` is `provider/model`; `isFixed`: most of the request
 * is in the requests of a new session too.
 */
export function providerAdvice(code: ModelFailure, model: string, isFixed = false): string {
  const name = firstText(model.split('/'));
  const known = findProvider(name);
  const title = known?.title ?? name;
  if (code === 'program_failed') return `Try again: ${GO_ON}; if it happens again, run fluffy doctor`;
  if (known !== null && known.endpoint === null) return recordingAdvice(code);
  switch (code) {
    case 'auth':
      return `${setKeyAdvice(name)}; then ${GO_ON}`;
    case 'no_credit':
      return `Add credit to your account at ${title} or raise its limit, or ${ANOTHER_MODEL}`;
    case 'no_access':
      return `Do what the message asks for in your account at ${title}, which can take some minutes to count, and ${GO_ON}; or ${ANOTHER_MODEL}`;
    case 'unknown_model':
      return `Check the name after the slash in ${model}, and that your account at ${title} may use that model`;
    case 'rate_limited':
      return `Wait for a minute and ${GO_ON}, or raise the limit of your account at ${title}`;
    case 'overloaded':
    case 'server_error':
      return `Wait for a few minutes and ${GO_ON}, or ${ANOTHER_MODEL}`;
    case 'bad_request':
      return `Check that ${model} is a chat model with tools, or ${ANOTHER_MODEL}`;
    case 'context_too_long':
      return isFixed
        ? 'Use another model that takes more, with --model PROVIDER/MODEL: most of the request is what every session sends, as /context shows'
        : `Begin a new session, or ${ANOTHER_MODEL} that takes more`;
    case 'connection':
      return known?.endpoint?.reach === 'public'
        ? `Check the network${baseUrlAdvice(name, ', and ')}; then ${GO_ON}`
        : `Start the server, or correct its address: ${baseUrlAdvice(name)}; then ${GO_ON}`;
    case 'protocol':
      return `Try again: ${GO_ON}; if it happens again, check the address (${baseUrlAdvice(name)}), or ${ANOTHER_MODEL}`;
    case 'egress_denied':
      return `Check the address: ${baseUrlAdvice(name)}`;
    case 'timeout':
      return `Try again: ${GO_ON}, or ${ANOTHER_MODEL}`;
    default:
      return assertNever(code);
  }
}

/** A recording has no address, no account and no network. */
function recordingAdvice(code: ModelFailure): string {
  return code === 'bad_request'
    ? 'Check that the recording has a turn for each request of the session'
    : 'Correct the turn of the recording that this request plays, then begin a new session';
}

function setKeyAdvice(name: string): string {
  const known = findProvider(name);
  if (known === null) {
    return `Give providers.${name}.api_key_ref in your config.yaml a valid key: env:VARIABLE, or the name of one stored by fluffy config set-key`;
  }
  if (known.keyVariable === null) return `Configure ${name} under providers in your config.yaml, with an api_key_ref`;
  return `Set a valid key: ${known.keyVariable} in your environment, or fluffy config set-key ${name}`;
}

function baseUrlAdvice(name: string, before = ''): string {
  const known = findProvider(name);
  if (known === null || known.replaceable) return `${before}providers.${name}.base_url in your config.yaml`;
  const variable = known.endpoint?.baseUrlVariable ?? null;
  return variable === null ? '' : `${before}${variable}, if you have set it`;
}
