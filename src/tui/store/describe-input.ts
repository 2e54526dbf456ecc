import { safeLine } from './safe-text.ts';
import type { SafeText } from './safe-text.ts';

const MAX = 160;

/** What a tool is called with, in a few words: the path, the pattern, the command. */
export function describeInput(tool: string, input: unknown): SafeText {
  return safeLine(cut(wordsOf(tool, input)));
}

function wordsOf(tool: string, input: unknown): string {
  if (typeof input !== 'object' || input === null) return typeof input === 'string' ? input : '';
  const fields = input as Readonly<Record<string, unknown>>;
  const known = knownWords(tool, fields);
  return known === '' ? compact(fields) : known;
}

function knownWords(tool: string, fields: Readonly<Record<string, unknown>>): string {
  const text = (name: string) => {
    const value = fields[name];
    return typeof value === 'string' ? value : '';
  };
  const list = (name: string) => {
    const value = fields[name];
    return Array.isArray(value) ? value.filter((each) => typeof each === 'string').join(' ') : '';
  };
  switch (tool) {
    case 'fs.read': {
      const from = fields['offset'];
      return typeof from === 'number' ? `${text('path')} from line ${from}` : text('path');
    }
    case 'fs.move':
      return text('from') === '' ? '' : `${text('from')} → ${text('to')}`;
    case 'search.grep':
    case 'search.glob':
      if (text('pattern') === '') return '';
      return [JSON.stringify(text('pattern')), text('path'), text('glob')].filter((part) => part !== '').join(' ');
    case 'test.run':
      return list('paths') === '' ? 'the whole suite' : list('paths');
    case 'shell.run':
      return list('command');
    case 'git.commit':
      return firstLine(text('message'));
    case 'plan.complete':
      return firstLine(text('summary'));
    case 'workflow.request_exemption':
      return `${text('category')} ${list('affected_paths')}`.trim();
    case 'workflow.revise_tests':
    case 'task.give_up':
      return firstLine(text('reason'));
    default:
      return text('path');
  }
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}

function compact(fields: Readonly<Record<string, unknown>>): string {
  const json = JSON.stringify(fields);
  return json === '{}' ? '' : json;
}

function cut(text: string): string {
  return text.length > MAX ? `${text.slice(0, MAX - 1).toWellFormed()}…` : text;
}
