import { join } from 'node:path'
import * as t from 'io-ts'
import { Text } from '../../domain/kernel/codecs.ts'
import type { Settings } from '../../domain/kernel/setting.ts'
import { HttpAddress, OnOff } from '../setting-codecs.ts'

/* The Merkle tree of the log, who countersigns it, and whose logs this archive witnesses. A node's own: keys are in no log. */

const ProofName = t.refinement(
  t.string,
  (s) => /^[A-Za-z0-9][A-Za-z0-9./_-]{0,99}$/.test(s),
  'name of a log (letters, digits, . / _ -)',
)

export const proofSettings = {
  proofFolder: {
    codec: Text,
    default: (home: string) => join(home, 'proof'),
    value: 'folder',
    description:
      'folder of the Merkle tree that proves the log (default <home>/proof); any web server can serve it. The archive has one tree: two nodes share the folder, or one of them alone seals',
  },
  proofKeyFolder: {
    codec: Text,
    default: (home: string) => join(home, 'proof-key'),
    value: 'folder',
    description: 'folder of the keys that sign it (default <home>/proof-key); in no backup',
  },
  proofPolicy: {
    codec: Text,
    value: 'file',
    description:
      'file of a trust policy (c2sp.org/tlog-policy): its witnesses that have an address are asked each hour to cosign the head of the tree',
  },
  proofViews: {
    codec: Text,
    default: 'all',
    value: 'views',
    description: 'views whose rows the sealer seals once a day: names with commas between them, all, or none',
  },
  proofStamps: {
    codec: HttpAddress,
    value: 'address',
    description: 'https://…: time-stamping authority (RFC 3161) that stamps the head of the tree each hour',
  },
  proofStampRoots: {
    codec: Text,
    value: 'file',
    description:
      'PEM file of the authorities that time stamps must lead to; without it none is called trusted',
  },
  witnessLogs: {
    codec: Text,
    value: 'file',
    description:
      'file with a line `log <verifier key>` for each log of others that the role witness cosigns; its keys and state are in <home>/witness, in no backup',
  },
  witnessName: {
    codec: ProofName,
    default: 'fonds.local/witness',
    value: 'name',
    description:
      'name under which the role witness cosigns, best below a host name of the archive: archive.example/witness',
  },
  proofName: {
    codec: ProofName,
    default: 'fonds.local',
    value: 'name',
    description:
      'name that a new tree is begun under, best a host name of the archive: archive.example; a tree that was begun keeps its own',
  },
  proofPublic: {
    codec: OnOff,
    default: 'off',
    description:
      'on: anybody may read /proof/checkpoint and /proof/tile/…, without a token; entries in it name streams',
  },
} as const satisfies Settings
