import type { KernelClient } from '../../kernel-client/kernel-client.ts';

/** What a conversation asks of the kernel. */
export type SessionKernel = Pick<KernelClient, 'start' | 'resume' | 'request'>;
