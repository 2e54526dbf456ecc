import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { SandboxFailure, ToolOperation, ToolSandboxResult } from '../../contracts/ports/sandboxes.ts';
import { toolAnswerSchema } from '../../contracts/model/tool-call.ts';
import type { ToolCall } from '../../contracts/model/tool-call.ts';
import { RpcFailure } from '../../ipc/index.ts';
import { diagnose } from './diagnose.ts';
import type { Sandbox } from './sandbox.ts';
import type { SandboxServices } from './sandbox-services.ts';
import { OperationWatch, failureOf } from './watch-operation.ts';

/**
 * Has a ready sandbox perform one operation. The sandbox cannot be used again; the caller must close it in every case.
 * `watching` receives the watch, so that the operation can be paused.
 */
export async function runTool(
  services: SandboxServices,
  sandbox: Sandbox,
  operation: ToolOperation,
  watching: (watch: OperationWatch) => void,
): Promise<ToolSandboxResult> {
  const watch = new OperationWatch(services, sandbox, operation);
  watching(watch);
  const { authority } = operation;
  const { holder } = sandbox;
  const capability = authority?.issue(holder);
  const call: ToolCall = {
    input: operation.params,
    context: {
      sandbox_id: sandbox.id,
      workspace: operation.slot === null ? null : services.identity.projectRoot,
      session_mode: operation.mode ?? 'strict',
      ...(capability === undefined ? {} : { capability }),
    },
  };
  try {
    const answered = sandbox.peer.request(operation.method, call).then(
      (answer) => accept(answer),
      (error: unknown) => failed(error),
    );
    const interrupted = watch.interrupted.then((interruption): ToolSandboxResult =>
      broken(failureOf(interruption, operation.deadlineMs)),
    );
    return await Promise.race([answered, interrupted]);
  } finally {
    watch.stop();
    authority?.withdraw();
  }

  /** An answer counts only with the issued capability, from the sandbox to which it was issued. */
  function accept(answer: unknown): ToolSandboxResult {
    if (authority === undefined) return { kind: 'ok', sandbox: sandbox.id, result: answer };
    const parsed = toolAnswerSchema.safeParse(answer);
    if (!parsed.success) return broken({ kind: 'failed', reason: 'it answered without its capability' });
    const refusal = authority.redeem(holder, parsed.data.capability);
    if (refusal !== null) return broken({ kind: 'failed', reason: `its capability is not valid: ${refusal}` });
    return { kind: 'ok', sandbox: sandbox.id, result: parsed.data.result };
  }

  async function failed(error: unknown): Promise<ToolSandboxResult> {
    if (error instanceof RpcFailure && error.outcome.kind === 'refused') {
      const { code, message } = error.outcome.error;
      return { kind: 'tool-error', sandbox: sandbox.id, code, message };
    }
    // The call itself is too large to send; the sandbox is fine.
    if (error instanceof FluffyError && error.code === 'ipc_unsendable')
      return { kind: 'tool-error', sandbox: sandbox.id, code: error.code, message: error.why };
    return broken(await diagnose(services, sandbox, error));
  }

  function broken(failure: SandboxFailure): ToolSandboxResult {
    sandbox.fail(describeFailure(failure));
    return { sandbox: sandbox.id, ...failure };
  }
}

export function describeFailure(failure: SandboxFailure): string {
  switch (failure.kind) {
    case 'timed-out':
      return `it was not done within ${failure.afterMs} ms`;
    case 'out-of-memory':
      return 'it ran out of memory';
    case 'cancelled':
      return 'it was cancelled';
    case 'disk-full':
      return 'no space is left on the disk';
    case 'failed':
      return failure.reason;
  }
}
