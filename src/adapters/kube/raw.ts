/** An object of Kubernetes as it stands in JSON: where client-node's types say `Date`, its clients have read a text. */
export type Raw<Of> = Of extends Date ? string : Of extends object ? { [Field in keyof Of]: Raw<Of[Field]> } : Of;
