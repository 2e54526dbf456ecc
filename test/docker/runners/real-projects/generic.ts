import { appendFileSync } from 'node:fs';
import { userDirs } from '../../../../src/contracts/host-layout.ts';
import type { RealProject } from './real-project.ts';

/** Any language that has no runner of its own here: a command that prints TAP. */
export const genericProject: RealProject = {
  runner: 'generic',
  name: 'a library for the shell: a name with two dots has the wrong ending',
  files: () => ({
    'lib/ending.sh': 'ending() {\n  printf "%s" "${1#*.}"\n}\n',
    'run-tests.sh': `#!/bin/sh
. lib/ending.sh
count=0
check() {
  count=$((count + 1))
  if [ "$2" = "$3" ]; then echo "ok $count - $1"; else echo "not ok $count - $1"; echo "# got $2, want $3"; failed=1; fi
}
for each in tests/*.sh; do . "./$each"; done
echo "1..$count"
exit "\${failed:-0}"
`,
    'tests/one.sh': 'check "one dot" "$(ending a.txt)" txt\n',
  }),
  prepare: (root, home) => {
    const entry = { project: root, command: ['sh', 'run-tests.sh'], report: 'tap', files: ['tests/*.sh'] };
    const { configFile } = userDirs({ HOME: home });
    appendFileSync(configFile, `\ntest: ${JSON.stringify({ commands: [entry] })}\n`);
  },
  test: { path: 'tests/two.sh', content: 'check "two dots" "$(ending a.tar.gz)" gz\n' },
  fix: { path: 'lib/ending.sh', old_string: '${1#*.}', new_string: '${1##*.}' },
  // One for each file: which one a result belongs to is not known.
  cases: ['(command)', '(command)'],
  forHuman: [/come from the command itself/, /was not examined: its language is not known here/],
};
