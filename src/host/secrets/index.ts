export { findKey, setKey } from './key-store.ts';
export type { FoundKey, KeySources } from './key-store.ts';
export { secretServiceKeyring } from './keyring.ts';
export type { Keyring } from './keyring.ts';
export { findEndpoint, providerEndpoints, withBaseUrl } from './provider-endpoints.ts';
export type { KeyRef, ProviderEndpoint, ProviderEnvironment } from './provider-endpoints.ts';
export { parseBaseUrl } from './parse-base-url.ts';
export { openEgressSocket, openProviderSockets } from './provider-sockets.ts';
export type { ServiceSocketEvent, ProviderSocketsOptions } from './provider-sockets.ts';
