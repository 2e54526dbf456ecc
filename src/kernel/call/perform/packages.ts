import type { Workspace } from '../../../contracts/ports/workspace.ts';
import type { PackageOutcome } from '../../../contracts/ports/sandboxes.ts';
import { PACKAGE_MANAGERS } from '../../../contracts/sandbox/package-managers.ts';
import type {
  EgressAttempt,
  PackageManagerName,
  PackageReport,
  PackageRequest,
  RegistryFacts,
} from '../../../contracts/sandbox/package-managers.ts';
import type { AddedPackageFacts } from '../../../contracts/session/added-package.ts';
import { assertNever } from '../../../lib/assert-never.ts';
import { createUnifiedDiff } from '../../../lib/diff/unified-diff.ts';
import { layerIdOf } from '../../../lib/packages/layer-id.ts';
import { ownPrograms } from '../../../lib/packages/own-programs.ts';
import { listFirst } from '../../../lib/text/list-first.ts';
import { unlikeBefore } from '../../packages/manager.ts';
import type { Judgement, PackageTexts } from '../../packages/manager.ts';
import { MANAGERS } from '../../packages/registry.ts';
import { record } from '../../record/audit-trail.ts';
import { failure } from '../../tools/tool-answer.ts';
import type { ToolAnswer } from '../../tools/tool-answer.ts';
import type { AuthorisedCall, CallContext } from '../call.ts';
import { findManager, readFound } from './find-manager.ts';
import type { Found, FoundPackages } from './find-manager.ts';
import { mayChange } from './may-write.ts';
import { sizeOf } from './overlay.ts';
import { explainFailure } from './package-failures.ts';
import { failureError } from './sandbox-error.ts';
import { plural } from '../../../lib/text/plural.ts';

const DEADLINE_MS = 10 * 60_000;
const FETCH_TIMEOUT_MS = 30_000;
const NAMED = { max: 10 } as const;

type Good = Extract<Judgement, { kind: 'good' }>;
type Installed = Extract<ToolAnswer, { ok: true }>;
type Done = Extract<PackageReport, { kind: 'done' }>;

/** A report that was accepted. */
interface Judged {
  readonly report: Done;
  readonly judgement: Good;
}

/**
 * Has a package manager add or install packages. Only what was checked here is kept, both in the project's files and
 * outside them.
 */
export async function performPackages(
  context: CallContext,
  call: AuthorisedCall,
  request: PackageRequest,
  manager?: PackageManagerName,
): Promise<ToolAnswer> {
  const { services, session, workspace, signal } = context;
  const found = await findManager(workspace, manager);
  if (found.kind === 'none') return failure('not_found', found.why);
  const { name, manifest, lockfile, members, settings, chosen } = found;
  const texts = { manifest: manifest.text ?? '', lockfile: lockfile.text, members, settings };
  const whyNot =
    whyNotForImage(name, services.options) ??
    whyNoFeatures(name, request) ??
    whyNoMember(found, request) ??
    MANAGERS[name].whyNot(texts, request);
  if (whyNot !== null) return failure('not_found', `${call.use.tool.name} cannot run: ${whyNot}`);
  const changed = await changedManifest(workspace, found, request);
  if (request.kind === 'add') {
    const closed = await firstClosed(context, [changed, lockfile]);
    if (closed !== null)
      return failure('tool_unavailable', `${closed} is not open to writing now; nothing was fetched.`);
  }

  const onHead = {
    manifest: (await services.commits.textOnHead(manifest.path)) ?? '',
    lockfile: await services.commits.textOnHead(lockfile.path),
  };
  const own = ownPrograms(services.options);
  const interpreter = own[PACKAGE_MANAGERS[name].image];
  const outcome = await services.sandboxes.packages<Judged>({
    session: session.id,
    manager: name,
    job: {
      request,
      ...texts,
      ...(interpreter === null ? {} : { interpreter }),
      base_lockfile: onHead.lockfile,
      fetch_timeout_ms: FETCH_TIMEOUT_MS,
    },
    deadlineMs: DEADLINE_MS,
    signal,
    onAttempts: (attempts) => recordAttempts(context, call, attempts),
    onFetched: (done, total) =>
      session.stream({
        type: 'packages.fetched',
        call_id: call.received.call_id,
        done,
        total: total === 0 ? null : total,
      }),
    judge: (report) => {
      if (report.kind === 'failed') return { kind: 'drop', why: explainFailure(name, report) };
      const judgement = MANAGERS[name].judge(texts, report, request);
      if (judgement.kind === 'refused') return { kind: 'drop', why: `Nothing was kept: ${judgement.why}.` };
      const layer = { id: layerIdOf(name, report.lockfile, own.python), manager: name, members: Object.keys(members) };
      return { kind: 'keep', layer, judged: { report, judgement } };
    },
  });
  if (outcome.kind !== 'kept') return whyNothing(outcome);
  const { judged, sandbox } = outcome;
  if (request.kind === 'install')
    return withNote(installed(judged, rememberPackages(context, name, onHead, judged), sandbox), chosen);
  const { report } = judged;
  const refused = await stage(context, [
    [changed, manifestIn(report, request)],
    ...(lockfile.path === changed.path ? [] : ([[lockfile, report.lockfile]] as const)),
  ]);
  if (refused !== null) return refused;
  const requested = judged.judgement.name ?? MANAGERS[name].nameOf(request.name);
  rememberPackages(context, name, onHead, judged);
  const diff = createUnifiedDiff(changed.path, changed.text ?? '', manifestIn(report, request));
  return withNote(added(requested, judged, diff, sandbox), chosen);
}

/** The answer with a note that says which of several lockfiles was used. */
function withNote(answer: Installed, note: string | null): ToolAnswer {
  return note === null ? answer : { ...answer, text: `${answer.text}\n${note}`, summary: `${answer.summary}. ${note}` };
}

/** A virtual environment fits one Python only, and the program that makes it runs in Fluffy's own image. */
function whyNotForImage(
  manager: PackageManagerName,
  { project_image: image }: CallContext['services']['options'],
): string | null {
  if (image === undefined || PACKAGE_MANAGERS[manager].image !== 'python') return null;
  return `the tests run with the Python of ${image.reference}, and packages would be installed for another one: they have to be in that image.`;
}

function whyNoFeatures(manager: PackageManagerName, request: PackageRequest): string | null {
  const isAsked = request.kind === 'add' && request.features !== undefined && request.features.length > 0;
  return isAsked && manager !== 'cargo' ? `features are only for cargo crates, not for ${manager}.` : null;
}

function whyNoMember({ name, members }: FoundPackages, request: PackageRequest): string | null {
  if (request.kind === 'install' || request.directory === undefined || Object.hasOwn(members, request.directory))
    return null;
  const known = listFirst(Object.keys(members), NAMED);
  const fix = known === '' ? 'The project has none: leave directory out' : `Its members are in ${known}`;
  return `${request.directory} is not a workspace member of ${name}. ${fix}.`;
}

/** The manifest that an addition changes: the member's manifest, or the project's own. */
async function changedManifest(
  workspace: Workspace,
  { name, manifest }: FoundPackages,
  request: PackageRequest,
): Promise<Found> {
  if (request.kind === 'install' || request.directory === undefined) return manifest;
  return (await readFound(workspace, `${request.directory}/${PACKAGE_MANAGERS[name].manifest}`)) ?? manifest;
}

function manifestIn({ manifest, members }: Done, request: Extract<PackageRequest, { kind: 'add' }>): string {
  return request.directory === undefined ? manifest : (members?.[request.directory] ?? '');
}

async function firstClosed(context: CallContext, files: readonly Found[]): Promise<string | null> {
  for (const { path, state } of files) {
    if (await context.workspace.isIgnored(path)) return `${path} (ignored by git)`;
    if (!(await mayChange(context, path, 'fs.write', sizeOf(state)))) return path;
  }
  return null;
}

/** Records the connections that the host saw, before anything follows from them. */
function recordAttempts(
  { services, session }: CallContext,
  { use }: AuthorisedCall,
  attempts: readonly EgressAttempt[],
): void {
  for (const { target, outcome, reason, count } of attempts) {
    record(services, session, 'network_connection', {
      tool_name: use.tool.name,
      policy_decision: outcome === 'refused' ? 'denied' : 'allowed',
      input_summary: count === 1 ? target : `${target} (${count} times)`,
      output_summary: reason === undefined ? outcome : `${outcome}: ${reason}`,
    });
  }
}

/** Stages the lockfile last: without the lockfile no installed package is shown to a session. */
async function stage(
  context: CallContext,
  files: readonly (readonly [found: Found, text: string])[],
): Promise<ToolAnswer | null> {
  for (const [{ path, text: before, state }, text] of files) {
    if (before === text) continue;
    if (!(await mayChange(context, path, 'fs.write', Buffer.byteLength(text))))
      return failure('policy_denied', `Policy denies ${path} as it would be now; it was not written.`);
    const executable = state.kind === 'file' && state.executable;
    const staged = await context.workspace.stage(path, state, Buffer.from(text, 'utf8'), executable);
    switch (staged.kind) {
      case 'staged':
        break;
      case 'conflict':
        return failure('conflict', `${path} has changed in the meantime. Read it, and call deps.add again.`, true);
      case 'refused':
        return failure('path_refused', staged.reason);
      default:
        return assertNever(staged);
    }
  }
  return null;
}

/** Stores the registry facts of the packages that HEAD does not have, in whatever way they came into the lockfile. */
function rememberPackages(
  { session }: CallContext,
  manager: PackageManagerName,
  onHead: PackageTexts,
  { report, judgement }: Judged,
): readonly AddedPackageFacts[] {
  const { packages: now, isComplete } = MANAGERS[manager].named(report);
  const named = unlikeBefore(MANAGERS[manager].named(onHead).packages, now);
  // If the lockfile names only the requested packages, only the report shows what was installed with them.
  const alone = report.facts.filter(({ name }) => !named.some((each) => each.name === name));
  const others = alone.map((each) => ({ ...each, listed: null, hasInstallScript: false }));
  const packages = [...named, ...others].map(({ name, version, listed, hasInstallScript }): AddedPackageFacts => {
    // A package that is only listed can have a range in place of its version.
    const isThis = (each: RegistryFacts): boolean => each.name === name && (!isComplete || each.version === version);
    // Facts that an install does not request again are known since the package was added.
    const known = report.facts.find(isThis) ?? earlierFacts(session.snapshot.added_packages, manager, isThis);
    const hasScript = hasInstallScript || judgement.withScripts.includes(name);
    return {
      ...(known ?? { published_ms: null, maintainers: null, licence: null }),
      manager,
      name,
      version: known?.version ?? version,
      requested: listed !== null,
      install_script: !hasScript ? 'none' : report.scripts_run.includes(name) ? 'run' : 'not-run',
    };
  });
  const isSame = (one: AddedPackageFacts) => (other: AddedPackageFacts) =>
    one.manager === other.manager && one.name === other.name && one.version === other.version;
  const earlier = session.snapshot.added_packages.filter((each) => !packages.some(isSame(each)));
  session.update({ added_packages: [...packages, ...earlier].slice(0, 500) });
  return packages;
}

function earlierFacts(
  packages: readonly AddedPackageFacts[],
  manager: PackageManagerName,
  isThis: (facts: RegistryFacts) => boolean,
): RegistryFacts | undefined {
  return packages.find((each) => each.manager === manager && isThis(each));
}

function added(name: string, { report, judgement }: Judged, diff: string, sandboxId: string): Installed {
  const version = judgement.added.find((each) => each.name === name)?.version;
  const shown = version === undefined ? name : `${name}@${version}`;
  const others = judgement.added.filter((each) => each.name !== name).map((each) => `${each.name}@${each.version}`);
  const lines = [
    `${shown} is added; manifest and lockfile are staged. Tests and commands find it installed.`,
    ...(others.length === 0 ? [] : [`Also installed: ${listFirst(others, NAMED)}.`]),
    ...scriptLines({ report, judgement }),
  ];
  return { ok: true, text: lines.join('\n'), summary: `${shown} added`, diff, sandboxId };
}

function installed(judged: Judged, incoming: readonly AddedPackageFacts[], sandboxId: string): Installed {
  const { installed: count } = judged.judgement;
  const summary = `${plural(count, 'package')} installed`;
  const unlike = incoming.map(({ name, version }) => `${name}@${version}`);
  const news = unlike.length === 0 ? [] : [`Different from HEAD, and shown at review: ${listFirst(unlike, NAMED)}.`];
  const text = [`${summary}, for tests and commands.`, ...news, ...scriptLines(judged)].join('\n');
  return { ok: true, text, summary, sandboxId };
}

function scriptLines({ report, judgement }: Judged): string[] {
  const skipped = judgement.withScripts.filter((name) => !report.scripts_run.includes(name));
  if (skipped.length === 0) return [];
  return [
    `Install scripts were not run: ${listFirst(skipped, NAMED)}. Where one is needed, the user allows it by name (dependencies.install_scripts in the user's configuration).`,
  ];
}

function whyNothing(outcome: Exclude<PackageOutcome<Judged>, { kind: 'kept' }>): ToolAnswer {
  if (outcome.kind === 'dropped') return { ...failure('sandbox_failed', outcome.why), sandboxId: outcome.sandbox };
  return { ok: false, error: failureError(outcome) };
}
