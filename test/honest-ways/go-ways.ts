import { remove, testFirst } from './way.ts';
import type { RunnerWays } from './way.ts';

const LARGEST =
  '// Largest of two numbers.\nfunc Largest(a, b int) int {\n\tif a < b {\n\t\treturn b\n\t}\n\treturn a\n}\n';
const LARGEST_GO = `package shop\n\n${LARGEST}`;
const TABLE =
  'package shop\n\nimport "testing"\n\nfunc TestLargest(t *testing.T) {\n\tfor _, c := range []struct {\n\t\tname       string\n\t\ta, b, want int\n\t}{\n\t\t{"second", 1, 2, 2},\n\t\t{"first", 7, 3, 7},\n\t\t{"below zero", -7, -9, -7},\n\t} {\n\t\tt.Run(c.name, func(t *testing.T) {\n\t\t\tif got := Largest(c.a, c.b); got != c.want {\n\t\t\t\tt.Errorf("Largest(%d, %d) = %d, not %d", c.a, c.b, got, c.want)\n\t\t\t}\n\t\t})\n\t}\n}\n';
const ADD_TEST =
  'package shop\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif got := Add(1, 2); got != 3 {\n\t\tt.Fatal(got)\n\t}\n}\n';
const ADD = 'package shop\n\n// Add two numbers.\nfunc Add(a, b int) int { return a + b }\n';

export const GO_WAYS: RunnerWays = {
  runner: 'go-test',
  project: { 'go.mod': 'module shop\n\ngo 1.21\n', 'add.go': ADD, 'add_test.go': ADD_TEST },
  ways: [
    { name: 'a table of cases', steps: testFirst(['largest_test.go', TABLE], ['largest.go', LARGEST_GO]) },
    {
      name: 'a helper of the tests that was there before',
      files: {
        'helper_test.go':
          'package shop\n\nimport "testing"\n\nfunc equal(t *testing.T, got, want int) {\n\tt.Helper()\n\tif got != want {\n\t\tt.Fatalf("got %d, not %d", got, want)\n\t}\n}\n',
      },
      steps: testFirst(
        [
          'largest_test.go',
          'package shop\n\nimport "testing"\n\nfunc TestLargest(t *testing.T) {\n\tequal(t, Largest(1, 2), 2)\n\tequal(t, Largest(7, 3), 7)\n}\n',
        ],
        ['largest.go', LARGEST_GO],
      ),
    },
    {
      name: 'a case added to an old file',
      steps: testFirst(
        [
          'add_test.go',
          `${ADD_TEST}\nfunc TestLargest(t *testing.T) {\n\tif got := Largest(1, 2); got != 2 {\n\t\tt.Fatal(got)\n\t}\n\tif got := Largest(7, 3); got != 7 {\n\t\tt.Fatal(got)\n\t}\n}\n`,
        ],
        ['add.go', `${ADD}\n${LARGEST}`],
      ),
    },
    {
      name: 'a loop over many values, with a file in a temporary directory',
      steps: testFirst(
        [
          'store_test.go',
          'package shop\n\nimport (\n\t"path/filepath"\n\t"testing"\n)\n\nfunc TestStore(t *testing.T) {\n\tpath := filepath.Join(t.TempDir(), "n")\n\tfor n := -20; n < 20; n++ {\n\t\tif err := Save(path, n); err != nil {\n\t\t\tt.Fatal(err)\n\t\t}\n\t\tgot, err := Load(path)\n\t\tif err != nil || got != n {\n\t\t\tt.Fatalf("%d became %d: %v", n, got, err)\n\t\t}\n\t}\n}\n\nfunc TestLoadFails(t *testing.T) {\n\tif _, err := Load(filepath.Join(t.TempDir(), "missing")); err == nil {\n\t\tt.Fatal("no error")\n\t}\n}\n',
        ],
        [
          'store.go',
          'package shop\n\nimport (\n\t"os"\n\t"strconv"\n)\n\n// Save writes a number.\nfunc Save(path string, n int) error {\n\treturn os.WriteFile(path, []byte(strconv.Itoa(n)), 0o600)\n}\n\n// Load reads it.\nfunc Load(path string) (int, error) {\n\tdata, err := os.ReadFile(path)\n\tif err != nil {\n\t\treturn 0, err\n\t}\n\treturn strconv.Atoi(string(data))\n}\n',
        ],
      ),
    },
    {
      name: 'a refactoring',
      kind: 'refactor',
      files: { 'largest.go': LARGEST_GO, 'largest_test.go': TABLE },
      steps: [
        'run',
        [
          'largest.go',
          'package shop\n\n// Largest of two numbers.\nfunc Largest(a, b int) int {\n\tif b > a {\n\t\treturn b\n\t}\n\treturn a\n}\n',
        ],
        'run',
      ],
    },
    {
      name: 'tests alone',
      kind: 'tests',
      files: { 'largest.go': LARGEST_GO },
      steps: [['largest_test.go', TABLE], 'run'],
    },
    {
      name: 'the deletion of a function that nobody calls',
      kind: 'deletion',
      files: { 'old.go': 'package shop\n\nfunc halved(n int) int { return n / 2 }\n' },
      steps: ['run', remove('old.go'), 'run'],
    },
  ],
};
