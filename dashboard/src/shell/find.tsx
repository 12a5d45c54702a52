/** The place of the box that finds anything. */
export const Find = () => null
