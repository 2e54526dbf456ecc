import { expect, it } from 'vitest';
import { plainConfig } from '../../../src/lib/git/plain-config.ts';

const CONFIG = `[core]
	repositoryformatversion = 1
	filemode = false
	sshCommand = "ssh -i secret"
	fsmonitor = secret
[extensions]
	worktreeConfig
[remote "origin"]
	url = https://user:secret@example.invalid/x.git
[http "https://example.invalid/"]
	extraheader = AUTHORIZATION: basic secret
[credential]
	helper = store --file secret
[url "https://secret@example.invalid/"]
	insteadOf = x
[core "secret"]
	bare = secret
`;

it('keeps how a repository is to be read, and nothing else', () => {
  expect(plainConfig(CONFIG)).toBe(
    '[core]\n\trepositoryformatversion = 1\n[core]\n\tfilemode = false\n[extensions]\n\tworktreeconfig = true\n',
  );
});

it('makes nothing of what is no configuration', () => {
  expect(plainConfig('[core\n\tbare = secret\n')).toBeNull();
});
