/** A request as Kubernetes' RBAC rules name it: `patch` `deployments`, `get` `deployments/scale`. */
export type RequestName = Readonly<{
  verb: string;
  /** Plural, with the subresource. Where the path is no resource: `discovery`, or the first step of the path. */
  resource: string;
  namespace: string;
  name: string;
}>;

const verbs: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };

/** Reads verb and resource from a request, for metrics and for the text of errors (SPEC 9.2). */
export function nameRequest(method: string, path: string, query: Readonly<Record<string, string>> = {}): RequestName {
  const [root = '', ...steps] = path
    .split('/')
    .filter((step) => step !== '')
    .map(decoded);
  // `/api/v1/…` has no group, `/apis/GROUP/VERSION/…` has one.
  const rest = root === 'api' ? steps.slice(1) : root === 'apis' ? steps.slice(2) : [];
  if (rest.length === 0) {
    return {
      verb: verbs[method] ?? 'get',
      resource: root.startsWith('api') ? 'discovery' : root,
      namespace: '',
      name: '',
    };
  }
  // `namespaces` is itself the resource where only its name follows.
  const namespaced = rest[0] === 'namespaces' && rest.length > 2;
  const namespace = namespaced ? (rest[1] ?? '') : '';
  const [plural = '', name = '', ...subresource] = namespaced ? rest.slice(2) : rest;
  return { verb: verbOf(method, name, query), resource: [plural, ...subresource].join('/'), namespace, name };
}

/** `patch deployments shoot--a--b/kube-controller-manager`. */
export function wordsOf({ verb, resource, namespace, name }: RequestName): string {
  const object = [namespace, name].filter((part) => part !== '').join('/');
  return [verb, resource, object].filter((part) => part !== '').join(' ');
}

function verbOf(method: string, name: string, query: Readonly<Record<string, string>>): string {
  if (method !== 'GET') return verbs[method] ?? method;
  if (query['watch'] === 'true' || query['watch'] === '1') return 'watch';
  return name === '' ? 'list' : 'get';
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
