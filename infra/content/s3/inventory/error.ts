/** An inventory that cannot be used: the message names the file and what to do. */
export class InventoryError extends Error {
  override readonly name = 'InventoryError'
}
