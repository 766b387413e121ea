/**
 * The authority that all servers in memory name. Nobody has its key, and no TLS is spoken; kubeconfigs must name one. It is the same in each run, since a
 * history must be, byte for byte.
 */
export const memoryAuthority = `-----BEGIN CERTIFICATE-----
MIIBUTCB+KADAgECAhEA0DmQ7TT1qEapp9Pus+9OSTAKBggqhkjOPQQDAjAXMRUw
EwYDVQQDEwxzaW11bGF0ZWQgQ0EwIBcNMjAwMTAxMDAwMDAwWhgPMjA5OTAxMDEw
MDAwMDBaMBcxFTATBgNVBAMTDHNpbXVsYXRlZCBDQTBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABOdC/G9wG2flK5qf7TckThrZGVjUZEqs42wsmuFomcC0mumH2n0g
RTdbAytB4hnSiBfO9d7sKEJBWPetoLlgMZ2jIzAhMA8GA1UdEwEB/wQFMAMBAf8w
DgYDVR0PAQH/BAQDAgEGMAoGCCqGSM49BAMCA0gAMEUCICtZLjFW+U92JH3b5Ksz
n+Z4F6MliioRSUBMD7jEChvSAiEA9a43F+2Z/3m3CbeY3Naj5OM2k0yIcAYnMoGX
JUXEIQE=
-----END CERTIFICATE-----
`;
