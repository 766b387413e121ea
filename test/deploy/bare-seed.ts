import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Agent, request } from 'undici';
import { RealApiServer } from '@dwd/lab/real/api-server.ts';
import { notServedYet } from '@dwd/lab/real/custom-kinds.ts';
import { startControllerManager } from '@dwd/lab/real/controller-manager.ts';
import type { Ground } from '@dwd/lab/real/ground.ts';
import { prepareGround } from '@dwd/lab/control-plane/prepare-ground.ts';
import { definitionOf, type Definition } from './foreign-definitions.ts';
import { nameOf, type Manifest } from './render.ts';

/** What makes pods of Deployments, counts them for budgets, and takes away what was deleted. */
const controllers = [
  'deployment-controller',
  'replicaset-controller',
  'disruption-controller',
  'namespace-controller',
  'serviceaccount-controller',
  'garbage-collector-controller',
];

/** How a server answers to an object: its code, its message, and what it warns of. */
export type Verdict = Readonly<{ code: number; message: string; warnings: readonly string[] }>;

export const accepted: Verdict = { code: 200, message: '', warnings: [] };

/** A real API server with all the admission that a cluster has, and real controllers; nothing runs the pods that they make. */
export class BareSeed {
  readonly api: RealApiServer;
  /** For further servers beside it. */
  readonly ground: Ground;
  readonly directory: string;
  /** The administrator's. */
  readonly kubeconfig: string;
  readonly #dispatcher: Agent;

  private constructor(api: RealApiServer, ground: Ground) {
    this.api = api;
    this.ground = ground;
    this.directory = ground.directory;
    this.kubeconfig = join(ground.directory, 'admin.kubeconfig');
    writeFileSync(this.kubeconfig, api.kubeconfig('admin'));
    this.#dispatcher = new Agent({ connect: { ca: api.reach.ca }, allowH2: false });
  }

  /** `flags`: more of the API server's. */
  static async start(flags: readonly string[] = []): Promise<BareSeed> {
    const ground = await prepareGround('deploy', (line) => process.stderr.write(`${line}\n`));
    const api = await RealApiServer.start(ground, 'bare', { flags: ['--disable-admission-plugins=', ...flags] });
    const fast = ['--kube-api-qps=200', '--kube-api-burst=400'];
    startControllerManager(ground, 'kube-controller-manager', api, controllers, fast);
    return new BareSeed(api, ground);
  }

  /** Defines a kind that not every cluster has, as its authors do. Resolves once it is served. */
  async define(kind: Parameters<typeof definitionOf>[0]): Promise<void> {
    await this.takeDefinition(await definitionOf(kind));
  }

  async takeDefinition(definition: Definition): Promise<void> {
    const { code, message } = await this.apply(definition);
    if (code !== 200) throw new Error(message);
    const { group, names, versions } = definition.spec;
    // The server needs a moment.
    for (const { name } of versions.filter(({ served }) => served))
      while (
        (await this.api.call('GET', `/apis/${group}/${name}/${names.plural}`, undefined, notServedYet)).status !== 200
      )
        await pause(100);
  }

  /** Applies an object as `kubectl apply --server-side --validate=strict` does. */
  apply(manifest: Manifest): Promise<Verdict> {
    return this.#apply(manifest, '');
  }

  /** Applies all, in their order; throws unless each is taken as it is. */
  async install(manifests: readonly Manifest[]): Promise<void> {
    for (const manifest of manifests) {
      const verdict = await this.apply(manifest);
      if (!isDeepStrictEqual(verdict, accepted)) throw new Error(`${nameOf(manifest)}: ${JSON.stringify(verdict)}`);
    }
  }

  /** Asks for the same, and has nothing done: what the server would say. */
  tryOut(manifest: Manifest): Promise<Verdict> {
    return this.#apply(manifest, '&dryRun=All');
  }

  async remove(manifest: Manifest): Promise<void> {
    await this.api.call('DELETE', pathOf(manifest), { propagationPolicy: 'Background' }, [404]);
  }

  /** The objects of a kind in a namespace, as they are now. */
  async list<Kind = Manifest>(collection: string): Promise<readonly Kind[]> {
    return (await this.api.call('GET', collection)).body['items'] as readonly Kind[];
  }

  async close(): Promise<void> {
    await Promise.all([this.#dispatcher.destroy(), this.api.close()]);
  }

  async #apply(manifest: Manifest, how: string): Promise<Verdict> {
    const query = `fieldManager=deploy&force=true&fieldValidation=Strict${how}`;
    const answer = await request(`${this.api.url}${pathOf(manifest)}?${query}`, {
      method: 'PATCH',
      dispatcher: this.#dispatcher,
      headers: { authorization: `Bearer ${this.api.token('admin')}`, 'content-type': 'application/apply-patch+yaml' },
      // All JSON is YAML.
      body: JSON.stringify(manifest),
    });
    const text = await answer.body.text();
    // Of a path that is not served it says so in plain words.
    const { message = '' } = text.startsWith('{') ? (JSON.parse(text) as { message?: string }) : { message: text };
    const warnings = [answer.headers['warning'] ?? []].flat();
    // 201 where it is new.
    const code = answer.statusCode === 201 ? 200 : answer.statusCode;
    return { code, message, warnings };
  }
}

function pathOf({ apiVersion, kind, metadata: { namespace, name } }: Manifest): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const within = namespace === undefined ? '' : `/namespaces/${namespace}`;
  return `${root}${within}/${pluralOf(kind)}/${name}`;
}

/** As each of the kinds in `deploy/` has it. */
function pluralOf(kind: string): string {
  const lower = kind.toLowerCase();
  return lower.endsWith('s') ? `${lower}es` : `${lower}s`.replace(/ys$/, 'ies');
}
