"""Review of a match on web pages: silent ballots, and the audit of claims."""

from arena.records.match_record import MatchRecord
from arena.records.run_record import open_run
from arena.web.review import ClaimNote, Review, SilentVote


def review_match(record: MatchRecord) -> Review:
    """Return the review of a finished match; raises `RecordError` if it cannot be read."""
    # Only the review of a finished match needs the scores.
    from eval.claims.audit import audit_claims  # noqa: PLC0415
    from eval.metrics.silent_ballots import silent_ballots  # noqa: PLC0415
    from eval.played_match import read_match  # noqa: PLC0415

    match = read_match(record.run, open_run(record.run).manifest, record)
    return Review(
        ballots=tuple(
            SilentVote(
                seat=one.seat,
                event=one.event,
                top=one.top,
                share=one.probability_of(match.culprits) if one.shares else None,
            )
            for one in silent_ballots(match)
        ),
        claims=tuple(
            ClaimNote(
                seat=one.seat,
                event=one.event + 1,
                text=one.text,
                category=one.category,
                is_hedged=one.hedged,
                is_caught=one.caught,
            )
            for one in audit_claims(match)
        ),
    )
