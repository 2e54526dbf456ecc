import { expect, it } from 'vitest';
import type { SandboxId } from '../../../src/contracts/ids.ts';
import { kernelEntry } from '../../../src/kernel/record/kernel-entries.ts';
import { describeSandboxes } from '../../../src/kernel/serve/describe-kernel.ts';
import { describeSession } from '../../../src/kernel/serve/describe-session.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';

it('/policy says what is approved without a person, and where all of it is printed', async () => {
  const { services, session } = testKernel();
  const text = await describeSession(services, session, 'policy');
  expect(text).toMatch(/^policy [0-9a-f]{12}: \d+ rules of files \(\d+ allow, \d+ deny, \d+ ask\), \d+ built in/);
  expect(text).toContain(
    'a commit is approved without you if all of this holds: verified, mutants>=66%, at most 500 changed lines',
  );
  expect(text).toContain('fluffy config policy show');
});

it('/audit shows the newest records of this session alone, oldest first, and the end of the log', async () => {
  const { services, session } = testKernel();
  services.audit.append(kernelEntry('kernel_start', '1'));
  for (let index = 1; index <= 20; index += 1)
    services.audit.append({ ...kernelEntry('kernel_start', `record ${index}`), session_id: session.id });
  const rows = (await describeSession(services, session, 'audit')).split('\n');
  expect(rows).toHaveLength(18);
  expect(rows[0]).toMatch(/^ {4}7 {2}\d\d:\d\d:\d\d {2}kernel_start {7}record 6$/);
  expect(rows[14]).toContain('record 20');
  expect(rows[16]).toMatch(/^21 records, the last with hash /);
});

it('/audit has one short row for a record, and names a decision that is no plain yes', async () => {
  const { services, session } = testKernel();
  services.audit.append({
    ...kernelEntry('kernel_start', `first\nsecond ${'x'.repeat(500)}`),
    session_id: session.id,
    policy_decision: 'denied',
  });
  const [row = ''] = (await describeSession(services, session, 'audit')).split('\n');
  expect(row).toMatch(/^ {4}\d {2}\d\d:\d\d:\d\d {2}kernel_start {7}denied first second x+…$/);
});

it('/sandboxes names each with what runs in it', async () => {
  const { services, session } = testKernel();
  expect(await describeSession(services, session, 'sandboxes')).toContain('No sandbox of this session is running');
  const id = 'x_1' as SandboxId;
  expect(
    describeSandboxes([{ id, program: 'tool:fs', template: 'code-executor', state: 'running', ageMs: 4_400 }]),
  ).toBe('x_1  tool:fs  code-executor  running for 4 s');
});

it('/agents-file shows the notes as the model gets them', async () => {
  const { services, session } = testKernel({ files: { 'AGENTS.md': 'Use tabs.\n' } });
  expect(await describeSession(services, session, 'agents-file')).toContain('# AGENTS.md\nUse tabs.');
  const bare = testKernel();
  expect(await describeSession(bare.services, bare.session, 'agents-file')).toContain('There is no AGENTS.md');
});
