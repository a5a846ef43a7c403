// The models that do not run in their pages, each with its reason: what joins or leaves them is seen.
const CONTACTS = "its contacts open and close";
const STIFF = "it is stiff, and needs implicit steps";
const RANK = "it passes places where its rows lose their rank";

export const NOT_LIVE = {
  "billiard-ball": CONTACTS,
  "bouncing-ball": CONTACTS,
  cradle: CONTACTS,
  "governor-iftomm-a05": STIFF,
  ladder: CONTACTS,
  "n-four-bar-iftomm-a02": RANK,
  "rocking-block": CONTACTS,
  "rough-wedge": CONTACTS,
  "slider-crank-flexible": STIFF,
  sphere: CONTACTS,
  "stick-slip": "its friction sticks",
  string: CONTACTS,
  "stuck-block": CONTACTS,
  "wheelset-ivp": STIFF,
  "mechanisms/robot-arm": STIFF,
  "mechanisms/bricard-iftomm-a04": "it has 70 unknowns, too many for the page",
  "mechanisms/governor-iftomm-a05": STIFF,
  "mechanisms/n-four-bar-iftomm-a02": RANK,
};

/** Native runs of these take shorter steps where a pivot of their rows falls: they look for a loss of rank ahead, of which the page only takes notice. */
export const LOOKS_AHEAD = ["appell-hamel", "whipple-bicycle"];
