import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import type { ShootPath } from 'dependency-watchdog/domain/prober/shoot-path.ts';
import { kubeconfigText } from '../api/certificates.ts';
import type { ApiServer } from '../api/api-server.ts';
import { kinds } from '../store/embedded-kinds.ts';
import { newToken } from '../store/names-by-chance.ts';
import { createObject, replaceObject, type Storage } from '../store/object-writes.ts';
import { kubeconfigSecret } from './shoot-objects.ts';

/** A Secret with a kubeconfig: its name, the way to the API server that it is for, and that way's address. */
export type SecretOfPath = Readonly<{ path: ShootPath; name: string; url: string }>;

export type ShootSecretsParts = Readonly<{
  shoot: ShootNamespace;
  seed: Storage;
  api: ApiServer;
  /** One where leases are probed, and one for each path in the older generation (SPEC 2.2). */
  secrets: readonly SecretOfPath[];
}>;

/** The Secrets in the seed that lead to one shoot, each with a token of its own. Without a path, a lever moves all of them. */
export class ShootSecrets {
  readonly #parts: ShootSecretsParts;
  readonly #tokens = new Map<ShootPath, string>();

  constructor(parts: ShootSecretsParts) {
    this.#parts = parts;
  }

  /** A new token; the old one is refused from now on. */
  rotate(path?: ShootPath): void {
    const { shoot, seed, api } = this.#parts;
    for (const secret of this.#of(path)) {
      api.tokens.delete(this.#tokens.get(secret.path) ?? '');
      const token = newToken(seed.chance);
      this.#tokens.set(secret.path, token);
      api.tokens.set(token, 'system:serviceaccount:kube-system:dependency-watchdog-probe');
      this.#write(secret, kubeconfigText({ name: shoot, server: secret.url, ca: api.certificates.ca, token }));
    }
  }

  /** Puts any text in the place of the kubeconfig. */
  write(kubeconfig: string, path?: ShootPath): void {
    for (const secret of this.#of(path)) this.#write(secret, kubeconfig);
  }

  remove(path?: ShootPath): void {
    const { shoot, seed } = this.#parts;
    for (const { name } of this.#of(path)) seed.store.of(kinds.secret).remove(`${shoot}/${name}`);
  }

  #of(path: ShootPath | undefined): readonly SecretOfPath[] {
    return this.#parts.secrets.filter((secret) => path === undefined || secret.path === path);
  }

  #write({ name }: SecretOfPath, kubeconfig: string): void {
    const { shoot, seed } = this.#parts;
    const draft = kubeconfigSecret(shoot, name, kubeconfig);
    const current = seed.store.of(kinds.secret).get(`${shoot}/${name}`);
    if (current === undefined) createObject(seed, kinds.secret, draft);
    else replaceObject(seed, kinds.secret, current, draft);
  }
}
