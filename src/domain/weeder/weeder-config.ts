import type { Millis } from '../time.ts';

/** A label selector as the API server reads it in `labelSelector`: `role in (apiserver),tier notin (main)`. */
export type PodSelector = string & { readonly __name?: 'selector' };

/** A service, and by which selectors the pods that depend on it are found; at least one (SPEC 7). */
export type WeededService = Readonly<{ name: string; podSelectors: readonly PodSelector[] }>;

/** The weeder's configuration, every default filled in (SPEC 7). */
export type WeederConfig = Readonly<{ watchDuration: Millis; services: readonly WeededService[] }>;
