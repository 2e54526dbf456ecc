import type { ModelEvent, ModelRequest } from '../../../contracts/model/model.ts';
import type { ProviderSandbox } from '../../../contracts/ports/sandboxes.ts';
import type { Services } from '../../services.ts';
import type { Session } from '../../session/session.ts';
import { SilenceWatch } from './silence-watch.ts';

interface Asked {
  /** `provider/model`. */
  readonly model: string;
  readonly request: ModelRequest;
  readonly take: (event: ModelEvent) => void;
  readonly signal: AbortSignal;
}

/** One request to a provider; it is reported when it sends nothing for long. */
export async function askProvider(
  { services, session }: { readonly services: Pick<Services, 'clock'>; readonly session: Session },
  provider: Pick<ProviderSandbox, 'chat'>,
  { model, request, take, signal }: Asked,
): Promise<void> {
  const silence = new SilenceWatch(services.clock, (silentMs) => report(session, model, silentMs));
  const receive = (event: ModelEvent): void => {
    silence.heard(event.type === 'restart' ? event.after_ms : 0);
    take(event);
  };
  try {
    await provider.chat(request, receive, signal);
  } finally {
    silence.close();
  }
}

function report(session: Session, model: string, silentMs: number): void {
  const seconds = Math.floor(silentMs / 1000);
  session.emit({
    type: 'notice',
    level: 'info',
    what: `No answer for ${seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`}`,
    why: `${model} was asked and sends nothing`,
    fix: 'Nothing; or interrupt the run and choose another model',
    code: 'provider_silent',
  });
}
