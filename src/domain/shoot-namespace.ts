/** The name of a Cluster, which is the name of the shoot's control-plane namespace in the seed (SPEC 3). */
export type ShootNamespace = string & { readonly __name?: 'shoot' };
