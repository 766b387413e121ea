import { readFileSync, statSync } from 'node:fs';

/** A request for a resource as a real API server saw it, and how it was answered. */
export type Audited = Readonly<{
  user: string;
  verb: string;
  group: string;
  /** With its subresource. */
  resource: string;
  namespace: string;
  /** Also where a field selector names it. */
  name: string;
  code: number;
  /** RBAC said no; another 403 may come from elsewhere. */
  forbidden: boolean;
  /** What RBAC found for it: `RBAC: allowed by RoleBinding "x/garden" of …`; empty where it found nothing. */
  grantedBy: string;
}>;

type AuditEvent = Readonly<{
  auditID: string;
  verb: string;
  user: Readonly<{ username: string }>;
  objectRef?: Readonly<{
    resource: string;
    subresource?: string;
    apiGroup?: string;
    namespace?: string;
    name?: string;
  }>;
  responseStatus?: Readonly<{ code?: number }>;
  annotations?: Readonly<Record<string, string>>;
}>;

/** Reads what an audit log tells from now on, of requests for resources. */
export function auditedFromNow(file: string): () => readonly Audited[] {
  const from = statSync(file).size;
  return () => {
    // A line that is still being written ends nowhere.
    const lines = readFileSync(file).subarray(from).toString().split('\n').slice(0, -1);
    const events = lines.map((line) => JSON.parse(line) as AuditEvent);
    // A watch is told when it begins and when it ends.
    return [...new Map(events.map((event) => [event.auditID, event])).values()].flatMap(readEvent);
  };
}

function readEvent({ verb, user, objectRef, responseStatus, annotations = {} }: AuditEvent): readonly Audited[] {
  // `/version` and discovery are open to every user.
  if (objectRef === undefined) return [];
  const { resource, subresource, apiGroup = '', namespace = '', name = '' } = objectRef;
  const decision = annotations['authorization.k8s.io/decision'];
  return [
    {
      user: user.username,
      verb,
      group: apiGroup,
      resource: subresource === undefined ? resource : `${resource}/${subresource}`,
      namespace,
      name,
      code: responseStatus?.code ?? 0,
      forbidden: decision === 'forbid',
      grantedBy: annotations['authorization.k8s.io/reason'] ?? '',
    },
  ];
}
