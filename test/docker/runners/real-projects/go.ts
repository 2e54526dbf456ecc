import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { goRequirement, makeGoModuleCache } from '../../../support/go-module-cache.ts';
import type { RealProject } from './real-project.ts';

/** Part of Go itself, as a module of its own. */
const published = (name: string): string =>
  readFileSync(`/usr/local/go/src/text/tabwriter/${name}`, 'utf8').replaceAll(
    '"text/tabwriter"',
    '"example.com/tabwriter"',
  );

export const goProject: RealProject = {
  runner: 'go-test',
  name: 'text/tabwriter: combining characters take room',
  files: () => ({
    'go.mod': `module example.com/tabwriter\n\ngo 1.24.0\n\n${goRequirement().require}`,
    'go.sum': goRequirement().sum,
    'tabwriter.go': published('tabwriter.go'),
    'tabwriter_test.go': published('tabwriter_test.go'),
    'example_test.go': published('example_test.go'),
    'version_test.go': `package tabwriter

import (
	"testing"

	"golang.org/x/mod/semver"
)

func TestModuleOfTheCache(t *testing.T) {
	if semver.Compare("v1.2.0", "v1.10.0") >= 0 {
		t.Error("the versions are in the wrong order")
	}
}
`,
  }),
  prepare: (_root, home) => makeGoModuleCache(join(home, 'go/pkg/mod')),
  test: {
    path: 'combining_test.go',
    content: `package tabwriter_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/tabwriter"
)

func TestCombining(t *testing.T) {
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 8, 1, ' ', 0)
	fmt.Fprint(w, "e\\u0301\\tb\\nee\\tb\\n")
	w.Flush()
	if got, want := out.String(), "e\\u0301  b\\nee b\\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
`,
  },
  fix: {
    path: 'tabwriter.go',
    old_string: '	b.cell.width += utf8.RuneCount(b.buf[b.pos:])\n',
    new_string: `	b.cell.width += utf8.RuneCount(b.buf[b.pos:])
	for _, r := range string(b.buf[b.pos:]) {
		if r >= 0x300 && r <= 0x36f {
			b.cell.width--
		}
	}
`,
  },
  cases: ['TestCombining'],
  forHuman: [],
};
