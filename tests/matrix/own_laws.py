"""Laws as a user writes them."""

from __future__ import annotations

from trundle import laws


@laws.own(rows=("t1", "t2"))
class Groove:
    """Furrows along t1: friction mu_along in them, mu_across over them."""

    mu_along: laws.Ratio
    mu_across: laws.Ratio

    def project_section(f, r_n, c, out):
        out[0] = min(max(f[0], -c[0] * r_n), c[0] * r_n)
        out[1] = min(max(f[1], -c[1] * r_n), c[1] * r_n)

    def support(w, c):
        return c[0] * abs(w[0]) + c[1] * abs(w[1])


@laws.own(rows=("s",))
class Drill:
    """Spinning friction of a lever [m] times a share [-] of the normal force: |m_s| <= lever share r_n."""

    share: laws.Ratio
    lever: laws.Length

    def project_section(f, r_n, c, out):
        most = c[0] * c[1] * r_n
        out[0] = min(max(f[0], -most), most)

    def support(w, c):
        return c[0] * c[1] * abs(w[0])
