/** All that the program has of client-node (docs/decisions/0017): a chunk of its own, loaded once a kubeconfig is to be used. */
import { KubeConfig } from '@kubernetes/client-node';
import type { RunPlugin } from './exec-plugin.ts';

/** Reads a kubeconfig, given as JSON. Plugins are run by `runPlugin`, in place of a `spawn` without any limit. */
export function loadKubeConfig(json: string, runPlugin: RunPlugin): KubeConfig {
  const config = new KubeConfig();
  config.loadFromString(json);
  // It hands its OIDC library a text where that takes a URL only, and so would never renew a token.
  const issuer = config.getCurrentUser()?.authProvider?.config as { 'idp-issuer-url'?: string | URL } | undefined;
  if (issuer?.['idp-issuer-url']) issuer['idp-issuer-url'] = new URL(issuer['idp-issuer-url']);
  // Both fields are private, and there is no other way to bound a plugin. The version is pinned, and tests of plugins fail where the fields are not found.
  for (const authenticator of Reflect.get(config, 'authenticators') as readonly object[]) {
    if ('execFn' in authenticator) authenticator.execFn = runPlugin;
  }
  return config;
}
