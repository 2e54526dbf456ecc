import type { Workspace } from '../../../contracts/ports/workspace.ts';
import type { ParsedCall } from '../../../contracts/tools.ts';
import type { NativeScope } from './existing-path.ts';
import { exists, listDirectory } from './list-directory.ts';
import type { NativeAnswer } from './native-answer.ts';
import { readFile } from './read-file.ts';
import { glob, grep } from './search.ts';

export type { NativeAnswer } from './native-answer.ts';

/** The reads the kernel does itself: no sandbox, since they run no code and change nothing. */
export const nativeTools = {
  /** `readable` is the policy's word on a resolved path. Rejects only when `signal` is aborted or infrastructure is broken. */
  async run(
    call: ParsedCall,
    workspace: Workspace,
    readable: (path: string) => boolean,
    signal: AbortSignal,
  ): Promise<NativeAnswer> {
    const scope: NativeScope = { workspace, readable, signal };
    switch (call.tool) {
      case 'fs.read':
        return readFile(call.input, scope);
      case 'fs.list':
        return listDirectory(call.input, scope);
      case 'fs.exists':
        return exists(call.input, scope);
      case 'search.grep':
        return grep(call.input, scope);
      case 'search.glob':
        return glob(call.input, scope);
      case 'fs.write':
      case 'fs.edit':
      case 'fs.delete':
      case 'fs.move':
      case 'test.run':
      case 'shell.run':
      case 'git.status':
      case 'git.diff':
      case 'git.log':
      case 'git.commit':
      case 'plan.complete':
      case 'workflow.request_exemption':
      case 'workflow.revise_tests':
      case 'task.give_up':
        throw new Error(`${call.tool} is no native read`);
    }
  },
};
