import type { FluffyEvent } from '../contracts/session/events.ts';
import { FluffyError } from '../contracts/fluffy-error.ts';
import { checkProjectPolicy } from './config/check-project-policy.ts';
import { trustedPolicies } from './config/trusted-policies.ts';
import { KernelClient } from './kernel-client/kernel-client.ts';
import type { Environment, OpenProject } from './open-project.ts';
import { hostSettings, REPOSITORY_ROOT } from './open-project.ts';
import { attachKernel } from './supervisor/client/client.ts';
import { fromWire } from './supervisor/supervisor-protocol.ts';

export interface ConnectedKernel {
  readonly client: KernelClient;
  /** Resolves if the kernel died and could not be restarted. */
  readonly givenUp: Promise<FluffyError>;
  close(): void;
}

export interface ConnectOptions {
  readonly env: Environment;
  readonly allowRoot: boolean;
  /** See `baseUrlsOf`. A supervisor that runs with other base URLs is replaced, unless it is busy. */
  readonly baseUrls?: Readonly<Record<string, string>>;
  readonly onEvent: (event: FluffyEvent) => void;
  readonly onProgress: (text: string) => void;
  /** Called after the kernel was restarted and is connected again. */
  readonly onBack?: () => void;
}

/** Attaches to the project's kernel, and starts it if necessary. Throws FluffyError: exit 3 without a runtime, 7 without a kernel. */
export async function connectKernel(opened: OpenProject, options: ConnectOptions): Promise<ConnectedKernel> {
  const { promise: givenUp, resolve: giveUp } = Promise.withResolvers<FluffyError>();
  const trusted = await trustedPolicies(opened.user.trust, opened.project.root);
  await checkProjectPolicy(REPOSITORY_ROOT, opened.project.root, trusted);
  const attached = await attachKernel({
    projectRoot: opened.project.root,
    head: opened.project.head,
    env: options.env,
    allowRoot: options.allowRoot,
    repoRoot: REPOSITORY_ROOT,
    settings: { ...hostSettings(opened.userConfig, opened.project.root), ...baseUrlSettings(options.baseUrls) },
    onProgress: options.onProgress,
    onKernelChange: (change) => {
      if (change.kind === 'given-up') giveUp(fromWire(change.error));
    },
  });
  void attached.closed.then(() =>
    giveUp(
      givenUpError({
        what: 'The supervisor of this project ended',
        why: 'it was stopped or killed',
        fix: 'start fluffy again and resume the session',
      }),
    ),
  );
  const client = await KernelClient.connect({
    socket: attached.cliSocket,
    onEvent: options.onEvent,
    onReconnect: () => options.onProgress('the kernel ended; waiting for its restart'),
    ...(options.onBack === undefined ? {} : { onBack: options.onBack }),
    givenUp,
  });
  void client.lost.then(giveUp);
  return {
    client,
    givenUp,
    close: () => {
      client.close();
      attached.release();
    },
  };
}

function baseUrlSettings(baseUrls: ConnectOptions['baseUrls'] = {}): { base_urls?: Record<string, string> } {
  return Object.keys(baseUrls).length === 0 ? {} : { base_urls: { ...baseUrls } };
}

function givenUpError(reported: { readonly what: string; readonly why: string; readonly fix: string }): FluffyError {
  return new FluffyError({
    code: 'kernel_not_started',
    what: reported.what,
    why: reported.why,
    fix: reported.fix,
    exitCode: 7,
  });
}
