import { z } from 'zod';

/** Other properties of a rule stay unchanged. */
const profileSchema = z.looseObject({ syscalls: z.array(z.looseObject({ names: z.array(z.string()) })) });

/**
 * The kernel marks staged directories as opaque with an extended attribute, so its container has one more call than a tool's: `setxattr`. In a
 * sandbox that call fails like on a file system without attributes, because its marks would be read as the kernel's.
 */
export function kernelSeccomp(standard: string): string {
  const { syscalls, ...profile } = profileSchema.parse(JSON.parse(standard));
  const others = syscalls.map((rule) => ({ ...rule, names: rule.names.filter((name) => name !== 'setxattr') }));
  return JSON.stringify({ ...profile, syscalls: [...others, { names: ['setxattr'], action: 'SCMP_ACT_ALLOW' }] });
}
