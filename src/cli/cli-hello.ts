/** The CLI's handshake with the kernel and the supervisor. */
export const CLI_HELLO = { plugin_name: 'fluffy-cli', plugin_version: '1' };
