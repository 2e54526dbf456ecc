import { withInstalledModules } from '../go-test/installed-modules.ts';
import { GO_PACKAGES, GO_WRITABLE_CACHE } from '../go-test/plain-go.ts';
import { programCheck } from './check-source.ts';
import type { CheckSource } from './check-source.ts';

export const goVet: CheckSource = {
  reads: ['go.mod', 'go.work'],
  find: (directory) =>
    directory.text('go.mod') + directory.text('go.work') === ''
      ? []
      : [
          programCheck(directory, 'go vet ./...', {
            script: withInstalledModules(`${GO_WRITABLE_CACHE} && go vet ${GO_PACKAGES}`, directory.projectRoot),
          }),
        ],
};
