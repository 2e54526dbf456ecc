import type { Rule } from 'eslint';

const TABLE = /^\w+:\s*(?:(?:Readonly|Partial)<)*Record<string,/;

/**
 * ESLint rule: a table `Record<string, ...>` of a module is read by `ownValue`. Read by index, a key such as `constructor` finds what every object
 * inherits.
 */
export const ownValues: Rule.RuleModule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      inherited: 'Read {{table}} with ownValue: a key such as "constructor" finds an inherited member here.',
    },
  },
  create(context) {
    const { sourceCode } = context;
    const tables = new Set<string>();
    const accesses: { readonly table: string; readonly node: Rule.Node }[] = [];
    return {
      VariableDeclarator(node) {
        const { id, parent } = node;
        const isOfModule = ['Program', 'ExportNamedDeclaration'].includes(parent.parent?.type ?? '');
        // With its type: the parser gives a name and what is declared of it one place.
        if (id.type === 'Identifier' && isOfModule && TABLE.test(sourceCode.getText(id))) tables.add(id.name);
      },
      MemberExpression(node) {
        const { computed, object, property } = node;
        if (computed && object.type === 'Identifier' && property.type !== 'Literal')
          accesses.push({ table: object.name, node });
      },
      'Program:exit'() {
        for (const { table, node } of accesses)
          if (tables.has(table)) context.report({ node, messageId: 'inherited', data: { table } });
      },
    };
  },
};
