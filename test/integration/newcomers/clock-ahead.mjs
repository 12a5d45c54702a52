/* For `node --import`: the clock of this process is as many days ahead as DAYS_AHEAD says. */

const ahead = Number(process.env.DAYS_AHEAD ?? '0') * 86_400_000
const RealDate = Date

globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + ahead)
    else super(...given)
  }

  static now() {
    return RealDate.now() + ahead
  }
}
