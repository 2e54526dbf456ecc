import { z } from 'zod';
import { hostFailure } from './host-failure.ts';
import { ContainerRuntimeError } from '../../contracts/ports/container-runtime.ts';
import type { ContainerRuntimeErrorKind } from '../../contracts/ports/container-runtime.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import { messageOf } from '../../lib/text/message-of.ts';

const httpErrorSchema = z.looseObject({
  statusCode: z.number(),
  json: z.looseObject({ message: z.string() }).optional().catch(undefined),
});

/** Converts any error of the HTTP client. */
export function runtimeError(action: string, thrown: unknown): ContainerRuntimeError | FluffyError {
  if (thrown instanceof ContainerRuntimeError || thrown instanceof FluffyError) return thrown;
  if (thrown instanceof z.ZodError) {
    return new ContainerRuntimeError('failed', action, 'the engine answered in an unknown form', thrown);
  }
  const answered = httpErrorSchema.safeParse(thrown);
  if (answered.success) {
    const { statusCode, json } = answered.data;
    const failure = hostFailure(json);
    if (failure !== null) return failure;
    return new ContainerRuntimeError(kindOf(statusCode), action, json?.message ?? `HTTP ${statusCode}`, thrown);
  }
  const reason = messageOf(thrown);
  return new ContainerRuntimeError('unavailable', action, reason, thrown);
}

function kindOf(status: number): ContainerRuntimeErrorKind {
  switch (status) {
    case 403:
      return 'refused';
    case 404:
      return 'missing';
    case 304: // It is in that state already.
    case 409:
      return 'conflict';
    default:
      return 'failed';
  }
}
