/** How the CLI introduces itself, to the kernel and to the supervisor alike. */
export const CLI_HELLO = { plugin_name: 'fluffy-cli', plugin_version: '1' };
