import { describe, expect, it } from 'vitest';
import { homeOf, userDirs } from '../../src/contracts/host-layout.ts';

describe('the directories of a user', () => {
  it('are below HOME, or where the variables of XDG put them', () => {
    expect(userDirs({ HOME: '/home/ada' })).toMatchObject({
      config: '/home/ada/.config/fluffy',
      stateHome: '/home/ada/.local/state/fluffy',
    });
    expect(userDirs({ HOME: '/home/ada', XDG_CONFIG_HOME: '/etc/ada', XDG_STATE_HOME: '/var/ada' })).toMatchObject({
      config: '/etc/ada/fluffy',
      stateHome: '/var/ada/fluffy',
    });
  });

  it.each(['', 'relative', './config'])('are not below %j, which is no absolute path', (path) => {
    expect(userDirs({ HOME: '/home/ada', XDG_CONFIG_HOME: path, XDG_STATE_HOME: path })).toEqual(
      userDirs({ HOME: '/home/ada' }),
    );
    expect(homeOf({ HOME: path })).toBe('/root');
  });
});
