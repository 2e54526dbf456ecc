import type { KernelClient } from '../../kernel-client/kernel-client.ts';

/** The requests of a conversation to the kernel. */
export type SessionKernel = Pick<KernelClient, 'start' | 'resume' | 'request'>;
