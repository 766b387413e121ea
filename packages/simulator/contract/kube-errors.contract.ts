import { expect, test } from 'vitest';
import type { KubeRequest } from 'dependency-watchdog/adapters/kube/kube-client.ts';
import { KubeError } from 'dependency-watchdog/adapters/kube/kube-error.ts';
import type { ContractStage, ContractUser } from './contract-stage.ts';

type Asking = Omit<KubeRequest, 'path'> & Readonly<{ as?: ContractUser; path: string }>;

/** What a KubeError shows; `said` is what follows the name of the request. */
type ToldError = Partial<Pick<KubeError, 'kind' | 'status' | 'reason' | 'retryAfter' | 'precondition'>> & {
  said: string;
};

const gadgets = 'apis/test.example/v1';

/** Of its spec; `d` is a Deployment of the scene, `g` a gadget, `gone` is none. */
const spec = {
  replicas: 1,
  selector: { matchLabels: { app: 'd' } },
  template: { metadata: { labels: { app: 'd' } }, spec: { containers: [{ name: 'main', image: 'none' }] } },
};

const patch = (path: string, body: unknown, contentType = 'application/merge-patch+json'): Asking => ({
  method: 'PATCH',
  path,
  body,
  contentType,
});
const deletion = (path: string, preconditions: object): Asking => ({
  method: 'DELETE',
  path,
  body: { apiVersion: 'v1', kind: 'DeleteOptions', preconditions },
});

const changed = 'the object has been modified; please apply your changes to the latest version and try again';
const conflictOn = (what: string, why: string) => `409 Conflict: Operation cannot be fulfilled on ${what}: ${why}`;

/** By what is wrong: the request, with `~` for the scene's namespace, and what becomes of it. */
const refusals: readonly (readonly [what: string, asked: Asking, told: ToldError])[] = [
  [
    'a body of another name',
    patch('deployments/d', { metadata: { name: 'e' } }),
    {
      status: 400,
      reason: 'BadRequest',
      said: '400 BadRequest: the name of the object (e) does not match the name on the URL (d)',
    },
  ],
  [
    'a body of another kind',
    { method: 'POST', path: 'deployments', body: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'e' } } },
    { status: 400, reason: 'BadRequest', said: '400 BadRequest: ' },
  ],
  [
    'a token of nobody',
    { as: 'nobody', method: 'GET', path: 'deployments/d' },
    { status: 401, reason: 'Unauthorized', said: '401 Unauthorized: Unauthorized' },
  ],
  [
    'a user that may not',
    { as: 'weak', ...patch('deployments/d', {}) },
    {
      status: 403,
      reason: 'Forbidden',
      said: '403 Forbidden: deployments.apps "d" is forbidden: User "weak" cannot patch resource "deployments" in API group "apps" in the namespace "~"',
    },
  ],
  [
    'what is not there',
    { method: 'GET', path: 'deployments/gone' },
    { status: 404, reason: 'NotFound', said: '404 NotFound: deployments.apps "gone" not found' },
  ],
  [
    'a kind that its group lacks',
    { method: 'GET', path: 'nothings/d' },
    { status: 404, reason: 'NotFound', said: '404 NotFound: the server could not find the requested resource' },
  ],
  [
    'a group that is not served, without a Status',
    { method: 'GET', path: '/apis/nobody.example/v1/namespaces/~/nothings/d' },
    { status: 404, reason: '', said: '404: 404 page not found' },
  ],
  [
    'a scale of a kind that has none',
    { method: 'GET', path: '/apis/machine.sapcloud.io/v1alpha1/namespaces/~/machines/m/scale' },
    { status: 404, said: '404' },
  ],
  [
    'a namespace that is not there',
    { method: 'POST', path: '/api/v1/namespaces/contract-nowhere/configmaps', body: { metadata: { name: 'c' } } },
    { status: 404, reason: 'NotFound', said: '404 NotFound: namespaces "contract-nowhere" not found' },
  ],
  [
    'a method that is not served',
    { method: 'DELETE', path: 'deployments/d/scale' },
    {
      status: 405,
      reason: 'MethodNotAllowed',
      said: '405 MethodNotAllowed: the server does not allow this method on the requested resource',
    },
  ],
  [
    'a collection that is put',
    { method: 'PUT', path: 'deployments', body: {} },
    {
      status: 405,
      reason: 'MethodNotAllowed',
      said: '405 MethodNotAllowed: the server does not allow this method on the requested resource',
    },
  ],
  [
    'a name that is taken',
    { method: 'POST', path: 'deployments', body: { metadata: { name: 'd' }, spec } },
    { status: 409, reason: 'AlreadyExists', said: '409 AlreadyExists: deployments.apps "d" already exists' },
  ],
  [
    'what has changed since',
    patch('deployments/d', { metadata: { resourceVersion: '1' }, spec: { replicas: 0 } }),
    { status: 409, reason: 'Conflict', said: conflictOn('deployments.apps "d"', changed) },
  ],
  [
    'a gadget that has changed since',
    patch(`/${gadgets}/namespaces/~/gadgets/g`, { metadata: { resourceVersion: '1' }, spec: { size: 0 } }),
    { status: 409, reason: 'Conflict', said: conflictOn('gadgets.test.example "g"', changed) },
  ],
  [
    'a Deployment of another uid',
    deletion('deployments/d', { uid: 'another' }),
    {
      status: 409,
      reason: 'Conflict',
      precondition: 'uid',
      said: conflictOn(
        'Deployment.apps "d"',
        'the UID in the precondition (another) does not match the UID in record (',
      ),
    },
  ],
  [
    'a gadget of another uid',
    deletion(`/${gadgets}/namespaces/~/gadgets/g`, { uid: 'another' }),
    { status: 409, reason: 'Conflict', precondition: 'uid', said: '409 Conflict: Operation cannot be fulfilled on ' },
  ],
  [
    'a Deployment of another version',
    deletion('deployments/d', { resourceVersion: '1' }),
    {
      status: 409,
      reason: 'Conflict',
      precondition: undefined,
      said: conflictOn(
        'Deployment.apps "d"',
        'the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (',
      ),
    },
  ],
  [
    'a patch of no known kind',
    patch('deployments/d', {}, 'application/json'),
    { status: 415, reason: 'UnsupportedMediaType', said: '415 UnsupportedMediaType: ' },
  ],
  [
    'a strategic patch of a custom resource',
    patch(`/${gadgets}/namespaces/~/gadgets/g`, {}, 'application/strategic-merge-patch+json'),
    { status: 415, reason: 'UnsupportedMediaType', said: '415 UnsupportedMediaType: ' },
  ],
  [
    'replicas below zero',
    patch('deployments/d', { spec: { replicas: -1 } }),
    {
      status: 422,
      reason: 'Invalid',
      said: '422 Invalid: Deployment.apps "d" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    },
  ],
  [
    'a scale below zero',
    patch('deployments/d/scale', { spec: { replicas: -1 } }),
    {
      status: 422,
      reason: 'Invalid',
      said: '422 Invalid: Scale.autoscaling "d" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    },
  ],
  [
    'a JSON patch whose test fails',
    patch('deployments/d', [{ op: 'test', path: '/spec/replicas', value: 7 }], 'application/json-patch+json'),
    {
      status: 422,
      reason: 'Invalid',
      said: '422 Invalid: the server rejected our request due to an error in our request',
    },
  ],
];

async function enter(open: () => Promise<ContractStage>) {
  const stage = await open();
  const namespace = await stage.namespace();
  const create = (path: string, body: object) => stage.admin.request({ method: 'POST', path, body });
  await create(`/apis/apps/v1/namespaces/${namespace}/deployments`, { metadata: { name: 'd' }, spec });
  await create(`/${gadgets}/namespaces/${namespace}/gadgets`, {
    apiVersion: 'test.example/v1',
    kind: 'Gadget',
    metadata: { name: 'g' },
    spec: { size: 1 },
  });
  return { stage, namespace };
}

/** What becomes of a refusal on its way through the program's client: the same KubeError, in the same words. */
export function kubeErrorsContract(open: () => Promise<ContractStage>): void {
  let scene: Promise<Readonly<{ stage: ContractStage; namespace: string }>> | undefined;
  test.each(refusals)('6.6 7.3 %s', async (_, { as = 'admin', path, ...asked }, { said, ...told }) => {
    const { stage, namespace } = await (scene ??= enter(open));
    const within = path.startsWith('/') ? path : `/apis/apps/v1/namespaces/~/${path}`;
    const error: unknown = await stage
      .client(as)
      .request({ ...asked, path: within.replace('~', namespace) })
      .catch((refused: unknown) => refused);
    if (!(error instanceof KubeError)) throw new Error('it was not refused', { cause: error });
    expect(error).toMatchObject({ kind: 'status', retryAfter: undefined, precondition: undefined, ...told });
    expect(error.message).toContain(`was answered ${said.replace('~', namespace)}`);
  });
}
