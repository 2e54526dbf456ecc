import { relative, sep } from 'node:path';
import type { Rule } from 'eslint';
import { layerViolations } from './layer-rule.ts';

/** ESLint rule: no file imports across the layers. `test/layers.test.ts` holds the same rule; this one shows it in the editor. */
export const layers: Rule.RuleModule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { crossed: '{{violation}}: docs/architecture.md says which folder may import which.' },
  },
  create: (context) => ({
    Program(node) {
      const path = relative(context.cwd, context.filename).replaceAll(sep, '/');
      for (const violation of layerViolations([{ path, text: context.sourceCode.text }]))
        context.report({ node, messageId: 'crossed', data: { violation } });
    },
  }),
};
