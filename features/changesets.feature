Feature: Changes and the changeset they belong to

  While a plan is executed its changes are recorded in the changeset that was
  started last. Report #7120 tells of two ways to miss it. A change lands in the
  previous changeset, which its owner already treats as closed. And a recorder that
  has just seen an open changeset reaches for it after it was finished.

  The suggested fix guards the list of open changesets, but neither the start
  of a changeset, which comes before it, nor the recording of a change after it.

  @R4
  Scenario Outline: R4, a change in a stale changeset, <version>
    Given a plan service in memory, <version>
    And an open changeset
    When one caller starts a changeset and then lists the changesets
    And another lists the changesets and then records a change
    Then nobody gets an error
    And no change lands in an older changeset once a newer one is visible

    @tdd_issue @tdd_issue_7120 @tdd_expected_fail
    Examples: broken
      | version      |
      | as reported  |
      | as suggested |

    @tdd_issue @tdd_issue_7120
    Examples: kept
      | version |
      | ours    |

  @R5
  Scenario Outline: R5, the last open changeset is finished, <version>
    Given a plan service in memory, <version>
    And an open changeset
    When one caller finishes the changeset
    And another records a change
    Then every change is in one changeset, or its recorder is told that none is active

    @tdd_issue @tdd_issue_7120 @tdd_expected_fail
    Examples: broken
      | version     |
      | as reported |

    @tdd_issue @tdd_issue_7120
    Examples: kept
      | version      |
      | as suggested |
      | ours         |

  @R4
  Scenario: the changeset that a plan says it has is the open one
    Given a plan service in memory
    And an open changeset
    When one caller starts a changeset
    And another reads the plan's changeset and then records a change
    Then nobody gets an error
    And no change lands in an older changeset once a newer one is visible
    And every change is in one changeset, or its recorder is told that none is active

  @R5
  Scenario: a changeset is finished while two record
    Given a plan service in memory
    And an open changeset
    When one caller finishes the changeset while two recorders record a change
    Then every change is in one changeset, or its recorder is told that none is active

  @applies
  Scenario: a change is recorded while the plan is applied
    Given a plan service in memory
    And a plan at apply/queued
    And an open changeset
    When one caller brings the plan home while another records a change
    Then every change is brought home once

  @R5
  Scenario: a changeset that was seen closed stays as it is
    Given a plan service in memory
    And an open changeset
    When one caller finishes the changeset and then lists the changesets
    And another records a change
    Then nothing lands in a changeset that was seen closed
