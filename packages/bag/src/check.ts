export { type BagCheck, type CheckedBag, checkBag } from './bagit/check-bag.ts'
