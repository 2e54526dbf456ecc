import { expect, test } from 'vitest';
import { projectMisfit } from '../../../../src/cli/supervisor/client/project-fit.ts';

const OWN = ['/home/me/.config/fluffy', '/home/me/.local/state/fluffy', '/run/user/1000/fluffy'];

test.each([
  '/home/me/project',
  '/home/me/.config/fluffy-themes',
  '/home/me/.local/state/other',
  '/tmp/project',
  '/usr/local/src/project',
  '/usr/src/app',
  '/opt/fluffy-plugin',
  '/run/project',
  '/var/lib/fluffy2',
  '/work/a b,c:ü',
])('%s can be worked on', (root) => {
  expect(projectMisfit(root, OWN)).toBeNull();
});

test.each([
  ['/', 'hide'],
  ['/home/me', 'contains /home/me/.config/fluffy'],
  ['/home', 'contains'],
  ['/home/me/.config/fluffy', 'contains'],
  ['/home/me/.local/state', 'contains'],
  ['/home/me/.local/state/fluffy/projects/x/kernel', 'it is in'],
  ['/run/user/1000/fluffy/12345678', 'it is in'],
  ['/tmp', 'hide /tmp'],
  ['/usr', 'hide'],
  ['/usr/local', 'hide'],
  ['/usr/local/bin', 'hide'],
  ['/etc', 'hide'],
  ['/opt', 'hide'],
  ['/opt/fluffy', 'hide'],
  ['/var/lib', 'hide'],
  ['/proc/self/cwd', 'another meaning'],
  ['/dev/shm/project', 'another meaning'],
  ['/sys/x', 'another meaning'],
  ['/run/fluffy/x', 'another meaning'],
  ['/var/local/x', 'another meaning'],
  ['/var/opt', 'hide'],
  ['/var/lib/fluffy/x', 'another meaning'],
])('%s can not', (root, why) => {
  expect(projectMisfit(root, OWN)).toContain(why);
});
