import { installFromHere } from '../../runners/installed-packages.ts';
import type { Workshop } from '../small-task.ts';
import { debounce } from './debounce.ts';
import { deepMerge } from './deep-merge.ts';
import { money } from './money.ts';
import { pagination } from './pagination.ts';
import { renameTotal } from './rename-total.ts';

/** A small library in TypeScript whose tests have names of their own, by a configuration that is not where it usually is. */
export const vitestWorkshop: Workshop = {
  runner: 'vitest',
  files: {
    '.gitignore': 'node_modules/\n',
    'package.json': `{
  "name": "shop",
  "type": "module",
  "scripts": { "test": "npm run -s test:unit", "test:unit": "vitest run --config config/vitest.config.ts" },
  "devDependencies": { "vitest": "*" }
}
`,
    'config/vitest.config.ts': `import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Not *.test.ts: an editor of ours runs those on its own.
    include: ['tests/**/*.check.ts'],
  },
});
`,
    'src/calc.ts': `export interface Line {
  readonly price: number;
  readonly count: number;
}

export function calc(lines: readonly Line[]): number {
  return lines.reduce((sum, line) => sum + line.price * line.count, 0);
}
`,
    'src/receipt.ts': `import { calc } from './calc';
import type { Line } from './calc';

export function receipt(lines: readonly Line[]): string {
  return \`\${lines.length} lines, \${calc(lines)} in all\`;
}
`,
    'src/money.ts': `/** An amount in cents. */
export function toCents(amount: number): number {
  return Math.floor(amount * 100);
}
`,
    'src/pagination.ts': `export interface Page<T> {
  readonly items: readonly T[];
  readonly pages: number;
}

/** Pages count from 1. */
export function paginate<T>(items: readonly T[], page: number, size: number): Page<T> {
  const start = page * size;
  return { items: items.slice(start, start + size), pages: Math.floor(items.length / size) + 1 };
}
`,
    'tests/calc.check.ts': `import { expect, test } from 'vitest';
import { calc } from '../src/calc';

test('sums prices by count', () => expect(calc([{ price: 2, count: 3 }, { price: 1, count: 1 }])).toBe(7));
`,
    'tests/receipt.check.ts': `import { expect, test } from 'vitest';
import { receipt } from '../src/receipt';

test('says how much it is', () => expect(receipt([{ price: 2, count: 2 }])).toBe('1 lines, 4 in all'));
`,
    'tests/money.check.ts': `import { expect, test } from 'vitest';
import { toCents } from '../src/money';

test('reads whole amounts', () => expect(toCents(3)).toBe(300));
`,
  },
  prepare: (root) => installFromHere(root, 'vitest'),
  test: ['npm', 'test'],
  tasks: [pagination, renameTotal, deepMerge, debounce, money],
};
