/** The product of the illustration: a bottle, drawn around (0, 0) standing on y = 0. */
function Bottle() {
  return (
    <g>
      <path
        d="M-17 -150v22c0 9-25 17-25 42v70c0 9 7 16 16 16h52c9 0 16-7 16-16v-70c0-25-25-33-25-42v-22z"
        fill="url(#glass)"
      />
      <path
        d="M-31 -84v68c0 5 3 9 8 9"
        fill="none"
        stroke="#fff"
        strokeOpacity=".5"
        strokeWidth="5"
        strokeLinecap="round"
      />
      <rect x="-42" y="-76" width="84" height="48" fill="#fbf4e8" />
      <path d="M-20 -58h40M-12 -46h24" stroke="#a8431c" strokeWidth="4" strokeLinecap="round" />
      <rect x="-20" y="-176" width="40" height="30" rx="5" fill="#2c241b" />
    </g>
  );
}

/** What Packshot does, drawn: a snapshot of a bottle becomes a lit studio image. */
export function HeroScene() {
  return (
    <svg
      viewBox="0 0 560 480"
      role="img"
      aria-label="A snapshot of a bottle on a cluttered desk becomes a studio image of the same bottle"
      className="h-auto w-full"
    >
      <defs>
        <linearGradient id="glass" x1="0" x2="1">
          <stop offset="0" stopColor="#c4602f" />
          <stop offset=".45" stopColor="#e08a55" />
          <stop offset="1" stopColor="#8f3714" />
        </linearGradient>
        <radialGradient id="backdrop" cx=".5" cy=".2" r="1">
          <stop offset="0" stopColor="#fffaf2" />
          <stop offset=".55" stopColor="#ecdfcd" />
          <stop offset="1" stopColor="#cdb99e" />
        </radialGradient>
        <radialGradient id="contact">
          <stop offset="0" stopColor="#3a2614" stopOpacity=".55" />
          <stop offset="1" stopColor="#3a2614" stopOpacity="0" />
        </radialGradient>
        <linearGradient id="wood" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="#b98a5c" />
          <stop offset="1" stopColor="#8a5f38" />
        </linearGradient>
        <clipPath id="studio">
          <rect x="150" y="16" width="390" height="420" rx="26" />
        </clipPath>
        <clipPath id="snapshot">
          <rect x="14" y="14" width="172" height="172" rx="8" />
        </clipPath>
      </defs>

      <g clipPath="url(#studio)">
        <rect x="150" y="16" width="390" height="420" fill="url(#backdrop)" />
        <path d="M150 330h390v110H150z" fill="url(#wood)" />
        <path d="M150 352h390M150 382h390M150 412h390" stroke="#7a5230" strokeOpacity=".35" strokeWidth="2" />
        <path d="M150 16h390L470 330H280z" fill="#fff" opacity=".16" />
        <ellipse cx="362" cy="376" rx="110" ry="17" fill="url(#contact)" />
        <g transform="translate(352 374) scale(1.55)">
          <Bottle />
        </g>
        <g transform="translate(470 378)">
          <ellipse cx="0" cy="0" rx="44" ry="9" fill="url(#contact)" />
          <circle cx="-8" cy="-20" r="20" fill="#d8a34c" />
          <circle cx="-8" cy="-20" r="12" fill="#e9be70" />
          <path d="M-8 -20v-12M-8 -20l10 7M-8 -20l-11 6" stroke="#d8a34c" strokeWidth="2" />
        </g>
      </g>

      <g transform="translate(10 218) rotate(-6)">
        <rect width="200" height="236" rx="14" fill="#fffdf9" />
        <rect width="200" height="236" rx="14" fill="none" stroke="#221d17" strokeOpacity=".12" />
        <g clipPath="url(#snapshot)">
          <rect x="14" y="14" width="172" height="172" fill="#8d8f8c" />
          <path d="M14 120h172v70H14z" fill="#6d675e" />
          <path d="M24 40h54v70H24z" fill="#a9aaa5" />
          <path d="M118 14h60v50h-60z" fill="#7a7d7c" />
          <rect x="128" y="104" width="44" height="44" rx="4" fill="#54606a" />
          <path d="M30 150c30-16 60 14 92-4" stroke="#3f3c38" strokeWidth="4" fill="none" />
          <g transform="translate(92 168) rotate(4) scale(.78)" opacity=".9">
            <Bottle />
          </g>
        </g>
        <path d="M20 208h84" stroke="#cbbfae" strokeWidth="8" strokeLinecap="round" />
      </g>
      <path
        d="M120 196c-6-44 8-72 40-86"
        fill="none"
        className="stroke-accent"
        strokeWidth="4"
        strokeLinecap="round"
        strokeDasharray="2 11"
      />
    </svg>
  );
}
