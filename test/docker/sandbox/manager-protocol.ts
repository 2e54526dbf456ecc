import { sessionIdSchema } from '../../../src/contracts/ids.ts';
import type { ModelRequest } from '../../../src/contracts/model/model.ts';
import type { TestOperation, ToolOperation } from '../../../src/contracts/ports/sandboxes.ts';
import type { OwnerSetup } from './owned-manager.ts';

export interface ManagerSetup extends OwnerSetup {
  readonly maxSlotBytes: number;
}

/** What the test asks of the manager's process. */
export type ManagerRequest =
  | { readonly call: 'tool'; readonly operation: Omit<ToolOperation, 'signal' | 'session'> }
  | { readonly call: 'test'; readonly operation: Omit<TestOperation, 'signal' | 'session'> }
  | { readonly call: 'chat'; readonly provider: 'replay'; readonly request: ModelRequest }
  | { readonly call: 'warm' }
  | { readonly call: 'collect' }
  | { readonly call: 'close' };

export const SESSION = sessionIdSchema.parse('s_dockertest');
