import { describe, expect, it } from 'vitest';
import { COMMANDS, completeCommand, parseCommand } from '../../../src/tui/store/parse-command.ts';
import type { Command } from '../../../src/tui/store/parse-command.ts';

describe('a line that was entered', () => {
  it.each<[string, Command]>([
    ['', { kind: 'nothing' }],
    [' \n ', { kind: 'nothing' }],
    ['Add a test', { kind: 'message', text: 'Add a test' }],
    [' /etc/passwd is world-readable', { kind: 'message', text: '/etc/passwd is world-readable' }],
    ['two\nlines\n', { kind: 'message', text: 'two\nlines' }],
    ['/strict', { kind: 'mode', mode: 'strict' }],
    ['/explore ', { kind: 'mode', mode: 'explore' }],
    ['/debug', { kind: 'mode', mode: 'debug' }],
    ['/status', { kind: 'describe', what: 'status' }],
    ['/budget', { kind: 'describe', what: 'budget' }],
    ['/why', { kind: 'describe', what: 'why' }],
    ['/diff', { kind: 'describe', what: 'diff' }],
    ['/help', { kind: 'help' }],
    ['/quit', { kind: 'quit' }],
    ['/reset', { kind: 'reset' }],
    ['/undo', { kind: 'undo' }],
    ['/undo 2', { kind: 'misused', usage: '/undo' }],
    ['/approve', { kind: 'approve' }],
    ['/reject "not yet"', { kind: 'reject', reason: 'not yet' }],
    ["/reject 'not yet'", { kind: 'reject', reason: 'not yet' }],
    ['/reject not yet', { kind: 'reject', reason: 'not yet' }],
    ['/reject say "why" first', { kind: 'reject', reason: 'say "why" first' }],
    ['/reject "two\nlines"', { kind: 'reject', reason: 'two\nlines' }],
    ['/reject', { kind: 'misused', usage: '/reject "why"' }],
    ['/reject ""', { kind: 'misused', usage: '/reject "why"' }],
    ['/approve yes', { kind: 'misused', usage: '/approve' }],
    ['/reset --hard', { kind: 'misused', usage: '/reset' }],
    ['/aprove', { kind: 'unknown', word: '/aprove', nearest: '/approve' }],
    ['/expl', { kind: 'unknown', word: '/expl', nearest: '/explore' }],
    ['/exit', { kind: 'unknown', word: '/exit', nearest: '/quit' }],
    ['/toString', { kind: 'unknown', word: '/toString', nearest: '/strict' }],
    ['/Approve', { kind: 'unknown', word: '/Approve', nearest: '/approve' }],
  ])('%j', (line, command) => {
    expect(parseCommand(line)).toEqual(command);
  });

  it('is never taken for a decision unless it is exactly one', () => {
    for (const line of ['approve', 'y', 'yes', '/approve!', '/ approve', '/approve\u200b', '//approve', 'a']) {
      expect(parseCommand(line).kind).not.toBe('approve');
    }
  });

  it('knows every command that /help lists', () => {
    for (const name of Object.keys(COMMANDS)) {
      expect(['unknown', 'message', 'nothing']).not.toContain(parseCommand(name).kind);
    }
  });
});

describe('Tab', () => {
  it.each([
    ['/st', null],
    ['/sta', '/status'],
    ['/re', null],
    ['/ap', '/approve'],
    ['/x', null],
    ['st', null],
    ['/status now', null],
  ])('%j becomes %j', (text, whole) => {
    expect(completeCommand(text)).toBe(whole);
  });
});
