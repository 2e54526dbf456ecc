import { z } from 'zod';

/** What a rule of a profile has beyond its names stays as it is. */
const profileSchema = z.looseObject({ syscalls: z.array(z.looseObject({ names: z.array(z.string()) })) });

/**
 * The kernel marks staged directories as opaque, which is an extended attribute, so its container has one call more than a tool's: `setxattr`. In a
 * sandbox that call fails as on a file system without attributes: its marks would be read as the kernel's.
 */
export function kernelSeccomp(standard: string): string {
  const { syscalls, ...profile } = profileSchema.parse(JSON.parse(standard));
  const others = syscalls.map((rule) => ({ ...rule, names: rule.names.filter((name) => name !== 'setxattr') }));
  return JSON.stringify({ ...profile, syscalls: [...others, { names: ['setxattr'], action: 'SCMP_ACT_ALLOW' }] });
}
