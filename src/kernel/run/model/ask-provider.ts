import type { ModelEvent, ModelRequest } from '../../../contracts/model/model.ts';
import type { ProviderSandbox } from '../../../contracts/ports/sandboxes.ts';
import type { Services } from '../../services.ts';
import type { Session } from '../../session/session.ts';
import { SilenceWatch } from './silence-watch.ts';

type Failed = Extract<ModelEvent, { type: 'failed' }>;

/** The provider programs of a run, by the `provider/model` that each serves. */
interface Providers {
  of(model: string): Promise<Pick<ProviderSandbox, 'chat'>>;
}

interface Asked {
  /** `provider/model`. */
  readonly model: string;
  readonly request: ModelRequest;
  readonly take: (event: ModelEvent) => void;
  readonly signal: AbortSignal;
}

/** Sends one request to a provider, and once more if its program died. A long silence of the provider is reported. */
export async function askProvider(
  { services, session }: { readonly services: Pick<Services, 'clock'>; readonly session: Session },
  providers: Providers,
  { model, request, take, signal }: Asked,
): Promise<void> {
  const silence = new SilenceWatch(services.clock, (silentMs) => report(session, model, silentMs));
  const receive = (event: ModelEvent): void => {
    silence.heard(event.type === 'restart' ? event.after_ms : 0);
    take(event);
  };
  try {
    const lost = await askOnce(await providers.of(model), request, receive, signal);
    if (lost === null) return;
    receive({ type: 'restart', attempt: 2, after_ms: 0, code: lost.code, message: lost.message });
    const again = await askOnce(await providers.of(model), request, receive, signal);
    if (again !== null) receive(again);
  } finally {
    silence.close();
  }
}

/** Returns null if the program answered. If it died, the end of the request is not passed on. */
async function askOnce(
  provider: Pick<ProviderSandbox, 'chat'>,
  request: ModelRequest,
  receive: (event: ModelEvent) => void,
  signal: AbortSignal,
): Promise<Failed | null> {
  let lost: Failed | null = null;
  await provider.chat(
    request,
    (event) => {
      if (event.type === 'failed' && event.code === 'program_failed') lost = event;
      else receive(event);
    },
    signal,
  );
  return lost;
}

function report(session: Session, model: string, silentMs: number): void {
  const seconds = Math.floor(silentMs / 1000);
  session.emit({
    type: 'notice',
    level: 'info',
    what: `No answer for ${seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`}`,
    why: `${model} has not sent anything`,
    fix: 'Nothing; or interrupt the run and choose another model',
    code: 'provider_silent',
  });
}
