/** A service in its namespace. */
export type ServiceRef = Readonly<{ namespace: string; service: string }>;

/** `shoot--dev--one/kube-apiserver`: names of namespaces and services hold no slash. */
export type ServiceKey = `${string}/${string}`;

export function serviceKey({ namespace, service }: ServiceRef): ServiceKey {
  return `${namespace}/${service}`;
}

export function serviceOf(key: ServiceKey): ServiceRef {
  const slash = key.indexOf('/');
  return { namespace: key.slice(0, slash), service: key.slice(slash + 1) };
}
