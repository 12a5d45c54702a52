import * as t from 'io-ts'

/** Each includes those before it. */
export const permissions = ['read', 'operate', 'administer'] as const
export const Permission = t.keyof({ read: null, operate: null, administer: null }, 'permission')
export type Permission = t.TypeOf<typeof Permission>

/** True if whoever has the permission `held` may do what needs `needed`. */
export const allows = (held: Permission, needed: Permission): boolean =>
  permissions.indexOf(held) >= permissions.indexOf(needed)

/** Groups that give each permission; `*` is the group of all who sign in. */
export type Granting = Readonly<Partial<Record<Permission, readonly string[]>>>

export const everybody = '*'

/** Returns the highest permission that one of the groups gives; undefined if none gives any. */
export const permissionOf = (groups: readonly string[], granting: Granting): Permission | undefined =>
  permissions.findLast((permission) =>
    granting[permission]?.some((group) => group === everybody || groups.includes(group)),
  )
