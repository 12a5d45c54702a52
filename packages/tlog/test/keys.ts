import { generateKeyPairSync } from 'node:crypto'

export const ed25519 = () => generateKeyPairSync('ed25519').privateKey
export const mlDsa44 = () => generateKeyPairSync('ml-dsa-44').privateKey
