/** All that the program has of client-node (docs/decisions/0017): a chunk of its own, loaded once a kubeconfig is to be used. */
import { KubeConfig, type User } from '@kubernetes/client-node';
import type { RunPlugin } from './exec-plugin.ts';

/** Knows a user of a server. Plugins are run by `runPlugin`, in place of a `spawn` without any limit. */
export function loadKubeConfig(server: string, user: User, runPlugin: RunPlugin): KubeConfig {
  const config = new KubeConfig();
  config.loadFromClusterAndUser({ name: 'seed', server, skipTLSVerify: false }, user);
  // Both fields are private, and there is no other way to bound a plugin. The version is pinned, and tests of plugins fail where the fields are not found.
  for (const authenticator of Reflect.get(config, 'authenticators') as readonly object[]) {
    if ('execFn' in authenticator) authenticator.execFn = runPlugin;
    if ('currentTokenExpiration' in authenticator) keepTokens(authenticator as Issuer);
  }
  return config;
}

type Issuer = {
  currentTokenExpiration: number;
  getToken: (user: User) => Promise<string | null>;
};

/**
 * It takes the length of a renewed token's life for its end, and forgets its refresh token where the issuer sends no other one: the next
 * time there is nothing to ask with. With 0 it goes by what the token itself says.
 */
function keepTokens(issuer: Issuer): void {
  const getToken = issuer.getToken.bind(issuer);
  issuer.getToken = async (user) => {
    const config = user.authProvider?.config as Record<string, unknown>;
    const before = config['refresh-token'];
    issuer.currentTokenExpiration = 0;
    const token = await getToken(user);
    config['refresh-token'] ??= before;
    return token;
  };
}
