import { userDirs } from '../../contracts/host-layout.ts';
import { EXIT } from '../../contracts/exit-codes.ts';
import type { ExitCode } from '../../contracts/exit-codes.ts';
import { escapeTerminal } from '../../lib/text/escape-terminal.ts';
import { MODEL_CATALOGUE } from '../../lib/models/catalogue.ts';
import { jsonLine } from '../../lib/json-line.ts';
import type { CliServices, GlobalInput } from '../command-line/cli-command.ts';
import { loadUserConfig, userConfigFile } from '../config/load-config.ts';
import { modelsHere } from './list-models.ts';
import type { ListedModel } from './list-models.ts';

/** `fluffy models`: needs no project and no container. */
export async function printModels({ json }: GlobalInput, { env, output }: CliServices): Promise<ExitCode> {
  const user = userDirs(env);
  const userConfig = await loadUserConfig(userConfigFile(env));
  const models = await modelsHere({ env, opened: { userConfig, user } });
  const { source, date } = MODEL_CATALOGUE;
  output.stdout(
    json
      ? jsonLine({ source, date, models })
      : `${formatModels(models, date)
          .map((line) => escapeTerminal(line))
          .join('\n')}\n`,
  );
  return EXIT.done;
}

/** Usable models one a line; the others grouped by what is missing. */
function formatModels(models: readonly ListedModel[], date: string): string[] {
  const usable = models.filter((model) => model.usable);
  const width = Math.max(20, ...usable.map(({ model }) => model.length));
  const byWhy = Map.groupBy(
    models.filter((model) => !model.usable),
    ({ why }) => why ?? '',
  );
  return [
    ...(usable.length === 0 ? ['No model of the catalogue can be used here yet.'] : [headLine(width)]),
    ...usable.map((model) => modelLine(model, width)),
    ...[...byWhy].flatMap(([why, closed]) => ['', why, `  ${closed.map(({ model }) => model).join(', ')}`]),
    '',
    `Windows in tokens, prices in USD per million tokens, as of ${date}. To change one: models.<provider/model> in your config.yaml.`,
  ];
}

function headLine(width: number): string {
  return `${'model'.padEnd(width)}  ${'window'.padStart(9)}  ${'output'.padStart(7)}  ${'in'.padStart(7)}  ${'cached'.padStart(7)}  ${'out'.padStart(7)}`;
}

function modelLine({ model, window_tokens, max_output_tokens, price, reasoning, images }: ListedModel, width: number) {
  const money = (amount: number | undefined): string => (amount === undefined ? '-' : String(amount)).padStart(7);
  const abilities = [...(reasoning ? ['reasoning'] : []), ...(images ? ['images'] : [])].join(', ');
  return `${model.padEnd(width)}  ${String(window_tokens).padStart(9)}  ${String(max_output_tokens).padStart(7)}  ${money(price?.input)}  ${money(price?.cache_read)}  ${money(price?.output)}  ${abilities}`.trimEnd();
}
