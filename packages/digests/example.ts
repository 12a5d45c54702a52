import { digestAlgorithm, normaliseDigest } from '@fonds/digests'
import { createDigests } from '@fonds/digests/compute'

const digests = await createDigests(['md5', 'crc32'])
digests.update(Buffer.from('all of '))
digests.update(Buffer.from('the film'))
for (const [algorithm, value] of digests.end()) console.log(algorithm, value)

for (const [algorithm, value] of [
  ['SHA_1', '2jmj7l5rSw0yVb/vlWAYkK/YBwk='],
  ['md5', '"D41D8CD98F00B204E9800998ECF8427E"'],
  ['md5', '9b2cf535f27731c974343645a3985328-12'],
] as const)
  console.log(normaliseDigest({ algorithm, value }) ?? `${value} is no ${algorithm} digest`)
console.log(digestAlgorithm('SHA-256'))
