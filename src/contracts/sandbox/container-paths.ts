/** Paths inside containers: L1 is the kernel's container, L2 are the sandboxes. */
export const IN_L1 = { state: '/var/lib/fluffy', run: '/run/fluffy' } as const;
export const IN_L2 = {
  kernelSocket: '/run/fluffy/kernel.sock',
  egressSocket: '/run/fluffy-guard/egress.sock',
  secretSocket: '/run/fluffy-guard/secret.sock',
  /** Ordinary names, because code under test sees them among its mounts. */
  out: '/var/local',
  home: '/var/opt',
  hosts: '/etc/hosts',
  /** Fluffy's own programs. In the user's image they are a mount. */
  programs: '/opt/fluffy',
} as const;
