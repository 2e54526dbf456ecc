import type { ExportedSession } from './exported-session.ts';
import type { ExportBlock } from './export-blocks.ts';
import { exportFacts } from './export-facts.ts';

/** Markdown for any viewer. The model's text is Markdown itself; everything else is quoted or fenced, so that it cannot end its part. */
export function formatMarkdown(session: ExportedSession, blocks: readonly ExportBlock[]): string {
  const facts = exportFacts(session).map(([name, value]) => `- ${name}: ${inline(value)}`);
  const parts = blocks.map(formatBlock);
  return `${[`# ${inline(session.title || session.id)}`, facts.join('\n'), ...parts].join('\n\n')}\n`;
}

function formatBlock(block: ExportBlock): string {
  switch (block.kind) {
    case 'user':
      return `## You\n\n${block.text.replace(/^/gm, '> ')}`;
    case 'model':
      return block.text.trim();
    case 'note':
      return `*${inline(block.text)}*`;
    case 'call': {
      const line = `- ${block.ok ? '✓' : '✗'} ${inline(block.title)}: ${inline(block.outcome)}`;
      return block.diff === null ? line : `${line}\n\n${fenced(block.diff, 'diff')}`;
    }
    case 'review':
      return [
        `### ${inline(block.title)}`,
        fenced(block.message, ''),
        ...(block.diff === '' ? [] : [fenced(block.diff, 'diff')]),
      ].join('\n\n');
  }
}

/** One line in which every special character is escaped. */
function inline(text: string): string {
  return text.replace(/\s+/gu, ' ').replace(/[\\`*_{}[\]<>#|~]/gu, String.raw`\$&`);
}

/** With a fence that is longer than any in the text. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/gu)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}
